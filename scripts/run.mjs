import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { cache, root } from './environment.mjs'
import { setUp, setUpPnpm } from './setup.mjs'
import { withLock } from './with-lock.mjs'

const build = ['turbo', 'run', 'build', '--output-logs=errors-only', '--log-order=grouped']

/** @param {string} name the package, built with all that it needs */
const buildFor = (name) => [...build, `--filter=${name}...`]

/** Each task is a list of commands. What the user adds goes to the last; those before it only speak when they fail. */
const tasks = {
  build: [build],
  demo: [buildFor('@nacre/demo'), ['node', 'apps/demo/dist/main.js']],
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
const shell = process.platform === 'win32'
const options = { cwd: root, env: environment, maxBuffer: 1 << 26, shell }
const [program = '', ...args] = commands.at(-1) ?? []
// Two builds at once would take each other's output away.
if (commands.length > 1) withLock(join(cache, 'build.lock'), () => commands.slice(0, -1).forEach(prepare))
// What runs is interrupted as well, and ends in its own way and with its own code.
process.on('SIGINT', () => undefined)
process.exit(spawnSync(program, [...args, ...rest], { ...options, stdio: 'inherit' }).status ?? 1)

/** @param {readonly string[]} command */
function prepare([first = '', ...others]) {
  process.stderr.write(`${[first, ...others].slice(0, 3).join(' ')} ...\n`)
  const result = spawnSync(first, others, { ...options, stdio: 'pipe' })
  if (result.status === 0) return
  process.stderr.write(`${result.stdout}${result.stderr}`)
  process.exit(result.status ?? 1)
}
