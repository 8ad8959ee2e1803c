import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// The long form of tests that have a short one in `npm test`: many kills, many random sequences.
const tests = [
  'test/kill',
  'test/view/edits.test.ts',
  'test/cache/false-alarms.test.ts',
  'test/relief/random-climbs.test.ts',
]
const root = fileURLToPath(new URL('../../..', import.meta.url))
const { status } = spawnSync('vitest', ['run', '--project', 'packages/core', ...tests], {
  cwd: root,
  env: { KILLS: '200', FUZZ_RUNS: '2000', ...process.env },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exitCode = status ?? 1
