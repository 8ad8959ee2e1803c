import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cageIsToBeTried, setUpCage } from './cage.mjs'
import { cache, childEnvironment, root } from './environment.mjs'
import { withLock } from './with-lock.mjs'

const stamp = join(root, 'node_modules', '.nacre-stamp')

/**
 * Makes the project ready: pnpm at the pinned version, then the dependencies, then what tests need of the system. Does
 * nothing when nothing changed. Ends the process with a message that says what to do when that is not possible.
 * @returns {NodeJS.ProcessEnv} the environment for child processes
 */
export function setUp() {
  checkNode()
  const environment = childEnvironment()
  if (isCurrent() && !cageIsToBeTried({ environment })) return environment
  makeCacheFolder()
  withLock(join(cache, 'setup.lock'), () => {
    if (!isCurrent()) {
      installPnpm(environment)
      installDependencies(environment)
      writeFileSync(stamp, fingerprint())
    }
    setUpCage({ environment })
  })
  return environment
}

/** pnpm alone, for commands that are to change the dependencies. */
export function setUpPnpm() {
  checkNode()
  const environment = childEnvironment()
  makeCacheFolder()
  withLock(join(cache, 'setup.lock'), () => installPnpm(environment))
  return environment
}

/** Everything that decides what an install would give. */
function fingerprint() {
  const manifests = ['packages', 'apps', 'examples']
    .filter((parent) => existsSync(join(root, parent)))
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(parent, name, 'package.json')))
    .filter((file) => existsSync(join(root, file)))
  const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch}\n`)
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests.sort()]) {
    hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

function isCurrent() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint() && existsSync(pnpmManifest())
}

function manifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}

function pnpmManifest() {
  return join(cache, 'pnpm', 'node_modules', 'pnpm', 'package.json')
}

function checkNode() {
  const wanted = manifest().engines.node.replace('>=', '')
  const [major = 0, minor = 0] = wanted.split('.').map(Number)
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number)
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return
  stop(`Nacre needs Node ${wanted} or newer, and this is ${process.version}. Install a newer Node and try again.`)
}

function makeCacheFolder() {
  try {
    mkdirSync(cache, { recursive: true })
  } catch (error) {
    stop(`The project folder can't be written (${error}). Make it writable for this user, or clone it elsewhere.`)
  }
}

/** @param {NodeJS.ProcessEnv} environment */
function installPnpm(environment) {
  const version = manifest().packageManager.replace('pnpm@', '')
  if (existsSync(pnpmManifest()) && JSON.parse(readFileSync(pnpmManifest(), 'utf8')).version === version) return
  say(`setup: installing pnpm ${version} into the project`)
  const folder = join(cache, 'pnpm')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  const retries = ['--fetch-retries=3', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=8000']
  const npm = npmCommand(environment)
  const args = [...npm.slice(1), 'install', '--prefix', folder, ...flags, ...retries, `pnpm@${version}`]
  attempt(npm[0] ?? 'npm', args, environment, 'pnpm could not be installed')
}

/** @param {NodeJS.ProcessEnv} environment */
function installDependencies(environment) {
  say('setup: installing dependencies (once; the next run skips this)')
  rmSync(stamp, { force: true })
  const program = join(cache, 'pnpm', 'node_modules', 'pnpm', 'bin', 'pnpm.cjs')
  const args = [program, 'install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only']
  attempt(process.execPath, args, environment, 'The dependencies could not be installed')
}

/**
 * The npm that started us, or the one on PATH.
 * @param {NodeJS.ProcessEnv} environment
 */
function npmCommand(environment) {
  const program = environment.npm_execpath ?? ''
  return program.endsWith('npm-cli.js') ? [process.execPath, program] : ['npm']
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} failure
 */
function attempt(command, args, environment, failure) {
  const shell = process.platform === 'win32' && command === 'npm'
  const options = { cwd: root, env: environment, maxBuffer: 1 << 26, shell }
  const result = spawnSync(command, args, { ...options, encoding: 'utf8' })
  if (result.status === 0) return
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}${result.error ?? ''}`
  process.stderr.write(`${output.trimEnd().split('\n').slice(-20).join('\n')}\n\n`)
  stop(`${failure}. ${advice(output)}`)
}

/** @param {string} output */
function advice(output) {
  if (/OUTDATED_LOCKFILE/.test(output)) {
    return 'A package.json and pnpm-lock.yaml disagree: run `npm run pnpm -- install` and commit the lockfile.'
  }
  if (/ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|META_FETCH_FAIL|ERR_SOCKET_TIMEOUT/.test(output)) {
    return 'The registry did not answer: check the network, the proxy and `npm config get registry`, and try again.'
  }
  if (/ENOSPC/.test(output)) return 'The disk is full: free some space and try again.'
  return 'The lines above say why.'
}

/**
 * Not on stdout: that belongs to whatever is run once all is ready.
 * @param {string} line
 */
function say(line) {
  process.stderr.write(`${line}\n`)
}

/**
 * @param {string} message
 * @returns {never}
 */
function stop(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
