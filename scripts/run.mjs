import { spawnSync } from 'node:child_process'
import { root } from './environment.mjs'
import { setUp, setUpPnpm } from './setup.mjs'

const build = ['turbo', 'run', 'build', '--output-logs=errors-only', '--log-order=grouped']

/** @param {string} name the package, built with all that it needs */
const buildFor = (name) => [...build, `--filter=${name}...`]

/** Each task is a list of commands. What the user adds goes to the last; those before it only speak when they fail. */
const tasks = {
  build: [build],
  demo: [buildFor('@nacre/demo'), ['pnpm', '--silent', '--filter', '@nacre/demo', 'start']],
  nacre: [buildFor('@nacre/cli'), ['node', 'packages/cli/dist/main.js']],
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
  const isLast = index === commands.length - 1
  const shell = process.platform === 'win32'
  if (!isLast) process.stderr.write(`${[program, ...args].slice(0, 3).join(' ')} ...\n`)
  const options = { cwd: root, env: environment, maxBuffer: 1 << 26, shell }
  const result = spawnSync(program, isLast ? [...args, ...rest] : args, {
    ...options,
    stdio: isLast ? 'inherit' : 'pipe',
  })
  if (result.status === 0) continue
  if (!isLast) process.stderr.write(`${result.stdout}${result.stderr}`)
  process.exit(result.status ?? 1)
}
