import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { cache } from './environment.mjs'

/** What puts commands into cages on Linux, each with the package that has it and a call that proves that it works. */
const tools = [
  { name: 'bwrap', package: 'bubblewrap', args: '--ro-bind / / --unshare-all --proc /proc --dev /dev true'.split(' ') },
  { name: 'nsenter', package: 'util-linux', args: ['--help'] },
]

/**
 * @typedef {object} Machine
 * @property {NodeJS.ProcessEnv} environment
 * @property {string} [platform]
 * @property {number} [user]
 * @property {string} [stamp] the file that says who has tried to install
 * @property {(line: string) => void} [say]
 */

/**
 * Whether set-up has something left to do for tests of the sandbox. It tries once for each user of each machine, and not
 * at all where it was told to leave the system alone.
 * @param {Machine} machine
 */
export function cageIsToBeTried(machine) {
  if (machine.environment.NACRE_SETUP_SYSTEM === '0' || cageProblem(machine) === undefined) return false
  const { stamp, key } = stampOf(machine)
  return !(existsSync(stamp) && readFileSync(stamp, 'utf8') === key)
}

/**
 * Installs what tests of the sandbox need, where that is missing and we are root of a Debian. A failure is told, and is no
 * failure of the set-up.
 * @param {Machine} machine
 */
export function setUpCage(machine) {
  if (!cageIsToBeTried(machine)) return
  const { environment, user = process.getuid?.(), say = toStderr } = machine
  const { stamp, key } = stampOf(machine)
  writeFileSync(stamp, key)
  const { missing } = tryTools(environment)
  if (missing.length > 0 && user === 0) install(missing, environment, say)
  const problem = cageProblem(machine)
  if (problem === undefined) return
  const ordinary = missing.length > 0 && user !== 0 ? ' Set-up installs nothing for an ordinary user.' : ''
  say(`setup: ${problem}${ordinary} Tests that need it are not run; \`npm test\` names them at its end.`)
}

/**
 * Why commands can't be put into a sandbox here, and what to do about it; undefined where they can. Elsewhere than on Linux
 * there is nothing to try.
 * @param {Machine} machine
 * @returns {string | undefined}
 */
export function cageProblem({ environment, platform = process.platform }) {
  if (platform !== 'linux') return undefined
  const { missing, failure } = tryTools(environment)
  if (missing.length === 0) return failure && `Commands can't be put into a sandbox here: ${failure}. ${namespaces}`
  const names = missing.map(({ name }) => name).join(' and ')
  const packages = missing.map((tool) => tool.package).join(' ')
  return `Commands can't be put into a sandbox here: there is no ${names}. ${advice(packages)}`
}

const namespaces =
  'Namespaces may be switched off: see kernel.unprivileged_userns_clone, user.max_user_namespaces and, on Ubuntu,' +
  ' kernel.apparmor_restrict_unprivileged_userns. A container has to be one that may make them.'

/** @param {string} packages */
function advice(packages) {
  const ways = [
    `apt-get install ${packages} (Debian, Ubuntu)`,
    `dnf install ${packages} (Fedora)`,
    `pacman -S ${packages} (Arch)`,
    `apk add ${packages} (Alpine)`,
    `nix-shell -p ${packages} (NixOS)`,
  ]
  return `Install it with ${ways.join(', ')}.`
}

/** @param {Machine} machine */
function stampOf({ user = process.getuid?.(), stamp = join(cache, 'cage') }) {
  return { stamp, key: `${user} ${hostname()}\n` }
}

/**
 * To find a program proves nothing, since namespaces may be switched off: each is run.
 * @param {NodeJS.ProcessEnv} environment
 */
function tryTools(environment) {
  const results = tools.map((tool) => ({ tool, ...run(tool.name, tool.args, environment) }))
  const failed = results.find(({ status }) => status !== 0)
  const why = failed?.stderr?.trim().split('\n')[0] || failed?.error?.message || `it ended with ${failed?.status}`
  return {
    missing: results.filter(isMissing).map(({ tool }) => tool),
    failure: failed && `${failed.tool.name} does not work (${why})`,
  }
}

/**
 * Also when a folder on the path can't be looked into, as those of root after `su`.
 * @param {{ error?: Error }} result
 */
function isMissing({ error }) {
  return error !== undefined && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES')
}

/**
 * @param {typeof tools} missing
 * @param {NodeJS.ProcessEnv} environment
 * @param {(line: string) => void} say
 */
function install(missing, environment, say) {
  const packages = missing.map((tool) => tool.package)
  const quiet = { ...environment, DEBIAN_FRONTEND: 'noninteractive' }
  if (isMissing(run('apt-get', ['--version'], quiet))) return
  say(
    `setup: installing ${packages.join(' and ')} for tests of the sandbox (NACRE_SETUP_SYSTEM=0 leaves the system alone)`,
  )
  const words = ['install', '-y', '-q', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=60', ...packages]
  if (run('apt-get', words, quiet).status === 0) return
  // The lists of packages may be old, or not there at all as in an image.
  run('apt-get', ['update', '-q'], quiet)
  const { status, stderr } = run('apt-get', words, quiet)
  if (status !== 0) say(`setup: apt-get has failed: ${stderr?.trim().split('\n').at(-1) || `it ended with ${status}`}`)
}

/** A mirror that does not answer is given up. */
const patience = 180_000

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function run(program, args, env) {
  return spawnSync(program, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: patience })
}

/**
 * Not to stdout: that belongs to whatever is run once all is ready.
 * @param {string} line
 */
function toStderr(line) {
  process.stderr.write(`${line}\n`)
}
