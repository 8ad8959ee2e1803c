import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { fileTools } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { toolContext } from '../support/tool-context.js'
import { versionOf } from './version-of.js'

const KILLS = 24
const CHAINS = 4
const scripts = mkdtempSync(join(tmpdir(), 'nacre-files-kill-'))

beforeAll(async () => {
  const entry = { writer: fileURLToPath(new URL('./children/writer.ts', import.meta.url)) }
  const outExtension = () => ({ js: '.mjs' })
  // All in one file: from where it lies, no dependency could be found.
  const options = { outDir: scripts, noExternal: [/^(?!unpdf)/], external: ['unpdf'], target: 'node20', silent: true }
  // Sources, not builds, as in every test.
  const esbuildOptions = (esbuild: { conditions?: string[] }) => {
    esbuild.conditions = ['@nacre/source']
  }
  const banner = { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" }
  await build({ entry, ...options, config: false, format: 'esm', outExtension, banner, esbuildOptions })
})
afterAll(() => rmSync(scripts, { recursive: true, force: true }))

/** Lets a child write until so much has happened in its folder, and some moments more; then kills it. */
async function killed(folder: string, first: number, count: number, moments: number): Promise<void> {
  const child = spawn(process.execPath, [join(scripts, 'writer.mjs'), folder, String(first)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // Also when an expectation fails meanwhile: it would write for ever.
  onTestFinished(() => void child.kill('SIGKILL'))
  let seen = 0
  const watcher = watch(folder, () => {
    if (++seen !== count) return
    let left = moments
    const wait = () => (left-- > 0 ? setImmediate(wait) : child.kill('SIGKILL'))
    wait()
  })
  const [, signal] = await once(child, 'close')
  watcher.close()
  expect(signal).toBe('SIGKILL')
}

/** Kills writers of one file, one after the other; gives how many left a temporary file behind. */
async function killMany(folder: string, kills: number, seed: number): Promise<number> {
  const path = join(folder, 'big.txt')
  writeFileSync(path, versionOf(0))
  let left = 0
  for (let kill = 0; kill < kills; kill++) {
    const random = (kill + 1) * 31 + seed * 17
    await killed(folder, kill * 1_000, 1 + (random % 10), random % 5)
    const text = readFileSync(path, 'utf8')
    const [, version = ''] = /^version (\d+) /.exec(text) ?? []
    expect(text === versionOf(Number(version))).toBe(true)
    const names = readdirSync(folder)
    expect(names.length).toBeLessThanOrEqual(2)
    left += names.length - 1
  }
  const { write } = fileTools()
  await write.run({ file_path: 'other.txt', content: '' }, toolContext(folder))
  expect(readdirSync(folder).sort()).toEqual(['big.txt', 'other.txt'])
  return left
}

it('leaves one whole version, and litter only until the next write, whenever a writer is killed', async () => {
  const folders = await Promise.all(Array.from({ length: CHAINS }, temporaryFolder))
  const left = await Promise.all(folders.map((folder, seed) => killMany(folder, KILLS / CHAINS, seed)))
  // Otherwise none was killed in the middle of a write, and nothing was tried.
  expect(left.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(0)
})
