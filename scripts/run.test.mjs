import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { root } from './environment.mjs'

// Stands for a build that takes a while; a second one at the same time fails.
const turbo = `#!/usr/bin/env node
const { mkdirSync, rmdirSync } = require('node:fs')
mkdirSync('busy')
require('node:child_process').spawnSync(process.execPath, ['-e', ''])
rmdirSync('busy')
`
const program = `require('node:fs').appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n'); process.exit(7)`

let project = ''

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'nacre-run-'))
  cpSync(join(root, 'scripts'), join(project, 'scripts'), { recursive: true })
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) write(name, '')
  write('package.json', JSON.stringify({ packageManager: 'pnpm@1.2.3', engines: { node: '>=20' } }))
  write('.cache/pnpm/node_modules/pnpm/package.json', JSON.stringify({ version: '1.2.3' }))
  write('.cache/pnpm/node_modules/pnpm/bin/pnpm.cjs', '')
  write('node_modules/.bin/turbo', turbo)
  chmodSync(join(project, 'node_modules', '.bin', 'turbo'), 0o755)
  write('apps/demo/dist/main.js', program)
})

afterEach(() => rmSync(project, { recursive: true, force: true }))

it.skipIf(process.platform === 'win32')(
  'builds for one run after the other, and ends as what was run has ended',
  async () => {
    const ends = await Promise.all(['--one', '--two', '--three'].map(run))
    expect(ends).toEqual([7, 7, 7])
    expect(readFileSync(join(project, 'calls'), 'utf8').trim().split('\n').sort()).toEqual([
      '--one',
      '--three',
      '--two',
    ])
  },
)

/** @param {string} option */
async function run(option) {
  const env = { ...process.env, NACRE_SETUP_SYSTEM: '0' }
  const child = spawn(process.execPath, ['scripts/run.mjs', 'demo', option], { cwd: project, env, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  return code
}

/**
 * @param {string} name
 * @param {string} text
 */
function write(name, text) {
  mkdirSync(dirname(join(project, name)), { recursive: true })
  writeFileSync(join(project, name), text)
}
