import { spawnSync } from 'node:child_process'
import { root } from './environment.mjs'
import { setUp, setUpPnpm } from './setup.mjs'

const build = ['turbo', 'run', 'build', '--output-logs=errors-only', '--log-order=grouped']

/** Each task is a list of commands; what the user adds goes to the last. */
const tasks = {
  build: [build],
  demo: [build, ['pnpm', '--silent', '--filter', '@nacre/demo', 'start']],
  bench: [build, ['pnpm', '--recursive', '--workspace-concurrency=1', '--if-present', 'run', 'bench']],
  soak: [build, ['pnpm', '--recursive', '--workspace-concurrency=1', '--if-present', 'run', 'soak']],
  format: [['biome', 'check', '--write']],
  pnpm: [['pnpm']],
  changeset: [['changeset']],
  'release:version': [
    ['changeset', 'version'],
    ['pnpm', 'install', '--lockfile-only'],
  ],
  'release:publish': [build, ['changeset', 'publish']],
}

const [name = '', ...rest] = process.argv.slice(2)
const commands = Object.entries(tasks).find(([task]) => task === name)?.[1]
if (!commands) {
  process.stderr.write(`There is no task '${name}'. Tasks: ${Object.keys(tasks).join(', ')}.\n`)
  process.exit(1)
}

const environment = name === 'pnpm' ? setUpPnpm() : setUp()
for (const [index, [program = '', ...args]] of commands.entries()) {
  const all = index === commands.length - 1 ? [...args, ...rest] : args
  const shell = process.platform === 'win32'
  const { status } = spawnSync(program, all, { cwd: root, env: environment, stdio: 'inherit', shell })
  if (status !== 0) process.exit(status ?? 1)
}
