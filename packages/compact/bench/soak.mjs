import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// The long form of tests that have a short one in `npm test`: more seeds, and every policy and rung in turn.
const root = fileURLToPath(new URL('../../..', import.meta.url))
const { status } = spawnSync('vitest', ['run', '--project', 'packages/compact', 'test/long'], {
  cwd: root,
  env: { LONG_SEEDS: '3', ...process.env },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exitCode = status ?? 1
