import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './environment.mjs'

// Packs every package, installs it into an empty folder with nothing but what its README's sample imports, and runs
// the sample as printed, and each program with --help. It needs the build. Names of packages leave the others out.

const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name))
const manifests = new Map(
  folders
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => [readManifest(folder).name, { folder, manifest: readManifest(folder) }]),
)
const work = mkdtempSync(join(tmpdir(), 'nacre-packed-'))
try {
  const named = process.argv.slice(2)
  for (const name of named.length > 0 ? named : manifests.keys()) tryPackage(name)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** @param {string} name */
function tryPackage(name) {
  const { folder, manifest } = known(name)
  const sample = firstSample(folder)
  const imported = [...sample.matchAll(/from '((?:@[\w-]+\/)?[\w.-]+)(?=['/])/g)].map(([, module = '']) => module)
  const peers = Object.keys(manifest.peerDependencies ?? {})
  const needed = peers.filter((peer) => !manifest.peerDependenciesMeta?.[peer]?.optional)
  const wanted = [...new Set([name, ...needed, ...imported])]
  const home = mkdtempSync(join(work, 'home-'))
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  writeFileSync(join(home, 'sample.js'), sample)
  const specifiers = wanted.map((module) => specifier(module, manifest))
  // Peers are installed by name; before its first release core has a version that no range takes in.
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--legacy-peer-deps', ...specifiers], home)
  const output = run('node', ['sample.js'], home)
  if (output.trim() === '') throw new Error(`The sample of ${name} prints nothing.`)
  for (const program of Object.keys(manifest.bin ?? {})) run(join('node_modules', '.bin', program), ['--help'], home)
  process.stdout.write(`${name}: its sample prints\n${output.trimEnd()}\n`)
}

/** @param {string} name */
function known(name) {
  const found = manifests.get(name)
  if (!found) throw new Error(`There is no package ${name}.`)
  return found
}

/** @param {string} folder */
function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** @param {string} folder */
function firstSample(folder) {
  const sample = /```(?:js|ts)\n([\s\S]*?)```/.exec(readFileSync(join(folder, 'README.md'), 'utf8'))?.[1]
  if (!sample) throw new Error(`${folder} has no README with a sample.`)
  return sample
}

/**
 * What to install for a module: the packed tarball for ours, the range this package is developed with for others.
 * @param {string} module
 * @param {{ devDependencies?: Record<string, string> }} manifest
 */
function specifier(module, manifest) {
  const own = manifests.get(module)
  if (!own) return `${module}@${manifest.devDependencies?.[module] ?? 'latest'}`
  const packed = run('pnpm', ['pack', '--json', '--pack-destination', work], own.folder)
  return JSON.parse(packed.slice(packed.indexOf('{'))).filename
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function run(program, args, cwd) {
  const shell = process.platform === 'win32'
  // What a program keeps is kept here, and not where the person keeps theirs.
  const env = { ...process.env, NACRE_HOME: join(work, 'data') }
  return execFileSync(program, args, { cwd, encoding: 'utf8', env, shell, stdio: ['ignore', 'pipe', 'pipe'] })
}
