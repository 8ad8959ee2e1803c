import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { noCage } from '../sandbox/caged-shell.js'
import { expectEnded, expectRunning, idsFrom, PATIENT } from '../shell/processes.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { processesWith } from './processes-with.js'
import { setUpMcp } from './set-up-mcp.js'

/** Runs the program until it has started its server and was killed. */
async function killed(how?: 'caged'): Promise<{ readonly folder: string; readonly temporary: string }> {
  const folder = await temporaryFolder()
  const [built, temporary] = [join(folder, 'built'), join(folder, 'temporary')]
  await mkdir(temporary)
  const entry = { killed: fileURLToPath(new URL('./programs/killed.ts', import.meta.url)) }
  const esbuildOptions = (esbuild: { conditions?: string[] }) => {
    esbuild.conditions = ['@nacre/source']
  }
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" }
  const options = { outDir: built, noExternal: [/./], target: 'node20', silent: true, config: false as const, banner }
  await build({ entry, ...options, format: 'esm', outExtension: () => ({ js: '.mjs' }), esbuildOptions })
  const env = { ...process.env, TMPDIR: temporary }
  const words = [join(built, 'killed.mjs'), folder, ...(how ? [how] : [])]
  await once(spawn(process.execPath, words, { stdio: 'inherit', env }), 'exit')
  return { folder, temporary }
}

describe.runIf(process.platform === 'linux')('a program that was killed', () => {
  it('has its servers ended by the next one', async () => {
    const { folder, temporary } = await killed()
    const ids = await idsFrom(join(folder, 'id'))
    expectRunning(ids)
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    await setUpMcp({ files: { user: false, project: false } })
    await vi.waitFor(() => expectEnded(ids), PATIENT)
    expect(await readdir(temporary)).toEqual([])
  })

  it.skipIf(noCage)('leaves nothing of those in a sandbox, where there is one', async () => {
    const { folder } = await killed('caged')
    await vi.waitFor(() => expect(processesWith(folder)).toEqual([]), PATIENT)
  })
})
