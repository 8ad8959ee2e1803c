import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// The test with its table, over more seeds and windows: how many of 120 planted facts are in view after three
// compactions, with and without the index of exact names, and how many one call of Recall brings back.
const root = fileURLToPath(new URL('../../..', import.meta.url))
const options = ['--project', 'packages/compact', '--disable-console-intercept', '--reporter=dot', 'test/facts']
const { status } = spawnSync('vitest', ['run', ...options], {
  cwd: root,
  env: { FACTS_SEEDS: '3', FACTS_WINDOWS: '60000,100000,200000', ...process.env },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exitCode = status ?? 1
