import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'
import { expect, it, onTestFinished, vi } from 'vitest'
import { expectEnded, expectRunning, idsFrom, PATIENT } from '../shell/processes.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { setUpMcp } from './set-up-mcp.js'

it.runIf(process.platform === 'linux')('ends the servers of a program that was killed', async () => {
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
  await once(spawn(process.execPath, [join(built, 'killed.mjs'), folder], { stdio: 'inherit', env }), 'exit')
  const ids = await idsFrom(join(folder, 'id'))
  expectRunning(ids)
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  await setUpMcp({ files: { user: false, project: false } })
  await vi.waitFor(() => expectEnded(ids), PATIENT)
  expect(await readdir(temporary)).toEqual([])
})
