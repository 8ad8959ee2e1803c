import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import commonjs from '@rollup/plugin-commonjs'
import json from '@rollup/plugin-json'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { build } from 'esbuild'
import { rollup } from 'rollup'
import { root } from './environment.mjs'

// Their types are those of CommonJS, in which the default is one step further down.
const takeCommonjs = /** @type {typeof commonjs.default} */ (/** @type {unknown} */ (commonjs))
const takeJson = /** @type {typeof json.default} */ (/** @type {unknown} */ (json))

// Bundles every entry of every package with esbuild and with rollup, with all that it depends on, and runs the bundle in
// an empty folder, where nothing can be found that was left out. It needs the build. Names of packages leave others out.

/**
 * Modules that later versions of Node have, and that undici asks for only where they are. Rollup would ask at once; the
 * page on bundles of tools says so.
 */
const LATER = ['node:sqlite']
/** Entries that run where there is no Node: no bundle of them imports a module of it. */
const ANYWHERE = new Set(['@nacre/core', '@nacre/compact'])

/**
 * Work that a bundle has to do, where its parts are found only when they are needed: programs, converters, parsers.
 * @type {Readonly<Record<string, string>>}
 */
const TRIED = {
  '@nacre/tools': `
    import { createServer } from 'node:http'
    import { writeFileSync } from 'node:fs'
    writeFileSync('pearl.txt', 'nacre is layered')
    const context = { callId: '1', cwd: process.cwd(), signal: new AbortController().signal, progress() {} }
    const said = async (tool, input) => all.textOf(await tool.run(tool.schema.parse(input), context))
    const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<h1>Pearl</h1>'))
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = 'http://127.0.0.1:' + server.address().port
    const texts = [
      await said(all.fileTools().read, { file_path: 'pearl.txt' }),
      await said(all.searchTools().grep, { pattern: 'nac.e', output_mode: 'content' }),
      await said(all.bashTools().bash, { command: 'cat pearl.txt' }),
      await said(all.webFetchTool({ allow: ['127.0.0.1'] }), { url }),
    ]
    server.close()
    const missing = texts.filter((text) => !/nacre is layered|# Pearl/.test(text))
    if (missing.length > 0) throw new Error(missing.join('\\n'))`,
}

/** What is written for CommonJS asks for `require`, which a module does not have. */
const BANNER = {
  js: "import { createRequire as makeRequire } from 'node:module'\nconst require = makeRequire(import.meta.url)",
}

/** What only some users of a package have installed, though this workspace has: no bundle may need it. */
const OPTIONAL = 'vitest'

/** @type {import('esbuild').Plugin} */
const withoutOptional = {
  name: 'optional',
  setup: ({ onResolve }) => onResolve({ filter: new RegExp(`^${OPTIONAL}$`) }, ({ path }) => refuseOptional(path)),
}

const work = mkdtempSync(join(tmpdir(), 'nacre-bundled-'))
try {
  const named = process.argv.slice(2)
  for (const name of readdirSync(join(root, 'packages'))) {
    const folder = join(root, 'packages', name)
    if (!existsSync(join(folder, 'package.json'))) continue
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (manifest.private || (named.length > 0 && !named.includes(manifest.name))) continue
    for (const entry of entriesOf(manifest)) await tryEntry(folder, entry)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** @param {{ name: string, exports?: Record<string, unknown> }} manifest */
function entriesOf({ name, exports = {} }) {
  return Object.entries(exports)
    .filter(([, target]) => typeof target === 'object')
    .map(([path]) => name + path.slice(1))
}

/**
 * @param {string} folder
 * @param {string} entry
 */
async function tryEntry(folder, entry) {
  const home = mkdtempSync(join(work, 'home-'))
  const source = join(folder, `.bundled-${process.pid}.mjs`)
  const job = TRIED[entry] ?? ''
  writeFileSync(source, `import * as all from '${entry}'\n${job}\nconsole.log(Object.keys(all).length)\n`)
  try {
    const isAnywhere = ANYWHERE.has(entry)
    const bundles = [await byEsbuild(source, home, isAnywhere), await byRollup(source, home)]
    for (const [index, bundle] of bundles.entries()) {
      const by = ['esbuild', 'rollup'][index]
      const left = importsIn(bundle).filter((name) => isAnywhere || !isBuiltIn(name))
      if (left.length > 0) throw new Error(`${entry}, bundled by ${by}, still imports ${left.join(', ')}.`)
      const found = execFileSync(process.execPath, [bundle], { cwd: home, encoding: 'utf8' }).trim()
      if (!(Number(found) > 0)) throw new Error(`${entry}, bundled by ${by}, gives nothing: ${found}`)
      process.stdout.write(`${entry}: ${found} names by ${by}\n`)
    }
  } finally {
    rmSync(source, { force: true })
  }
}

/**
 * @param {string} source
 * @param {string} home
 * @param {boolean} isAnywhere
 */
async function byEsbuild(source, home, isAnywhere) {
  const outfile = join(home, 'esbuild.mjs')
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    plugins: [withoutOptional],
    format: 'esm',
    logLevel: 'silent',
    ...(isAnywhere ? { platform: 'neutral', mainFields: ['module', 'main'] } : { platform: 'node', banner: BANNER }),
  })
  return outfile
}

/**
 * @param {string} source
 * @param {string} home
 */
async function byRollup(source, home) {
  const file = join(home, 'rollup.mjs')
  const bundle = await rollup({
    input: source,
    external: isBuiltIn,
    plugins: [
      { name: 'optional', resolveId: refuseOptional },
      nodeResolve({ preferBuiltins: true, exportConditions: ['node'] }),
      takeCommonjs({ ignore: LATER, transformMixedEsModules: true }),
      takeJson(),
    ],
    onwarn: () => undefined,
  })
  await bundle.write({ file, format: 'esm', inlineDynamicImports: true })
  await bundle.close()
  return file
}

/** @param {string} name */
function refuseOptional(name) {
  if (name === OPTIONAL) throw new Error(`The bundle needs ${name}, which not everybody has installed.`)
  return null
}

/** @param {string} name */
function isBuiltIn(name) {
  return name.startsWith('node:') || builtinModules.includes(name)
}

/** @param {string} bundle */
function importsIn(bundle) {
  const text = readFileSync(bundle, 'utf8')
  return [...text.matchAll(/^(?:import|export)\s[^'"\n]*?from\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]/gm)].map(
    ([, from, bare]) => from ?? bare ?? '',
  )
}
