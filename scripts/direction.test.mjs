import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise } from 'dependency-cruiser'
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { describe, expect, it } from 'vitest'
import { root } from './environment.mjs'

const configured = await extractOptions(join(root, '.dependency-cruiser.cjs'))
const tsConfig = extractTsConfig(join(root, 'tsconfig.base.json'))
const packages = ['core', 'tools', 'compact', 'session-memory', 'dream', 'agents', 'brand-new', 'simulator', 'cli']

/** One edge each, in a workspace that is otherwise clean: [rule, file, import, what it shows]. */
const forbidden = [
  ['no-cycles', 'packages/core/src/loop.ts', './index.js', 'two files that import each other'],
  ['core-imports-no-package', 'packages/core/src/index.ts', '@nacre/compact', 'core on a layer'],
  ['core-imports-no-package', 'packages/core/src/index.ts', '@nacre/simulator', 'core on the simulator'],
  ['layers-import-only-core', 'packages/compact/src/index.ts', '@nacre/tools', 'a layer on a layer'],
  ['layers-import-only-core', 'packages/dream/src/index.ts', '@nacre/session-memory', 'dream on session-memory'],
  ['layers-import-only-core', 'packages/agents/src/index.ts', '@nacre/simulator', 'a layer on the simulator'],
  ['layers-import-only-core', 'packages/tools/src/index.ts', '@nacre/cli', 'a layer on the cli'],
  ['layers-import-only-core', 'packages/brand-new/src/index.ts', '@nacre/tools', 'a package that nobody listed'],
  [
    'tests-of-core-and-layers-add-only-the-simulator',
    'packages/session-memory/src/a.test.ts',
    '@nacre/compact',
    "a layer's test on another layer",
  ],
  [
    'tests-of-core-and-layers-add-only-the-simulator',
    'packages/brand-new/src/a.test.ts',
    '@nacre/compact',
    'a test of a package that nobody listed',
  ],
  [
    'tests-of-core-and-layers-add-only-the-simulator',
    'packages/dream/test/support.ts',
    '@nacre/agents',
    'what its tests share on another layer',
  ],
  ['simulator-imports-no-package', 'packages/simulator/src/index.ts', '@nacre/core', 'the simulator on core'],
  ['simulator-imports-no-package', 'packages/simulator/src/a.test.ts', '@nacre/core', "the simulator's test on core"],
  ['nothing-imports-an-app-or-example', 'packages/cli/src/index.ts', '@nacre/demo', 'the cli on the demo'],
  ['only-through-exports', 'apps/demo/src/main.ts', '../../../packages/core/src/inner.js', 'the demo, by path'],
  ['only-through-exports', 'examples/hello/src/main.ts', '../../../packages/core/src/inner.js', 'an example, by path'],
  ['only-through-exports', 'packages/cli/src/index.ts', '../../core/src/inner.js', 'a package, by path'],
  ['no-unresolvable-import', 'apps/demo/src/main.ts', '@nacre/core/src/inner.js', 'what a package does not export'],
  ['core-root-runs-everywhere', 'packages/core/src/inner.ts', 'node:fs', 'node: two steps from the root entry'],
  ['core-root-runs-everywhere', 'packages/core/src/index.ts', 'path', 'a built-in without its prefix'],
  ['shipped-code-needs-no-dev-dependency', 'packages/core/src/index.ts', 'dev-only', 'a devDependency in src'],
]

const allowed = [
  ['packages/compact/src/index.ts', '@nacre/core', 'a layer on core'],
  ['packages/brand-new/src/index.ts', '@nacre/core', 'a package that nobody listed on core'],
  ['packages/compact/src/a.test.ts', '@nacre/simulator', "a layer's test on the simulator"],
  ['packages/compact/test/support.ts', '@nacre/simulator', 'what its tests share on the simulator'],
  ['packages/compact/src/b.test.ts', 'dev-only', 'a devDependency in a test'],
  ['packages/core/src/a.test.ts', '@nacre/simulator', "core's test on the simulator"],
  ['packages/core/src/node/index.ts', 'node:fs', 'node: behind @nacre/core/node'],
  ['packages/simulator/src/index.ts', 'node:http', 'node: outside core'],
  ['packages/cli/src/index.ts', '@nacre/tools', 'the cli on a layer'],
  ['packages/cli/src/core.ts', '@nacre/core', 'the cli on core'],
  ['packages/cli/src/simulator.ts', '@nacre/simulator', 'the cli on the simulator'],
  ['packages/cli/src/bundled.ts', 'dev-only', 'a devDependency in the bundle of the cli'],
  ['apps/demo/src/main.ts', '@nacre/cli', 'the demo on the cli'],
  ['examples/hello/src/main.ts', '@nacre/core', 'an example on core'],
]

describe('the direction of imports', () => {
  it.each(forbidden)('%s refuses %s -> %s: %s', async (rule, file, target) => {
    expect(await violations([[file, target]])).toEqual([rule])
  })

  it('allows the arrows of the design', async () => {
    expect(await violations(allowed)).toEqual([])
  })
})

/**
 * The rules broken in a small workspace that has these imports and no others.
 * @param {readonly (readonly string[])[]} edges
 * @returns {Promise<string[]>}
 */
async function violations(edges) {
  const folder = mkdtempSync(join(tmpdir(), 'nacre-direction-'))
  try {
    writeWorkspace(folder)
    for (const [file = '', target = ''] of edges) write(folder, file, `${keptExport(file)}import '${target}'\n`)
    const options = { ...configured, baseDir: folder }
    const { output } = await cruise(['packages', 'apps', 'examples'], options, {}, { tsConfig })
    if (typeof output === 'string') throw new Error(output)
    return [...new Set(output.summary.violations.map(({ rule }) => rule.name))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} folder */
function writeWorkspace(folder) {
  for (const name of packages) writeMember(folder, `packages/${name}`, name, 'index.ts')
  writeMember(folder, 'apps/demo', 'demo', 'main.ts')
  writeMember(folder, 'examples/hello', 'hello', 'main.ts')
  for (const file of ['index.ts', 'loop.ts', 'inner.ts']) {
    write(folder, `packages/core/src/${file}`, keptExport(`packages/core/src/${file}`))
  }
  write(folder, 'node_modules/dev-only/package.json', '{ "name": "dev-only", "version": "1.0.0", "main": "index.js" }')
  write(folder, 'node_modules/dev-only/index.js', '')
}

/**
 * @param {string} folder
 * @param {string} member
 * @param {string} name
 * @param {string} entry
 */
function writeMember(folder, member, name, entry) {
  const exports = { '.': { '@nacre/source': `./src/${entry}`, default: './dist/index.js' } }
  const manifest = { name: `@nacre/${name}`, type: 'module', exports, devDependencies: { 'dev-only': '1' } }
  write(folder, `${member}/package.json`, JSON.stringify(manifest))
  write(folder, `${member}/src/${entry}`, 'export {}\n')
  mkdirSync(join(folder, 'node_modules', '@nacre'), { recursive: true })
  symlinkSync(join(folder, member), join(folder, 'node_modules', '@nacre', name), 'junction')
}

/**
 * Core's own edges stay when a case adds one: its root entry reaches loop.ts and inner.ts.
 * @param {string} file
 */
function keptExport(file) {
  return file === 'packages/core/src/index.ts' ? "import './loop.js'\nimport './inner.js'\n" : 'export {}\n'
}

/**
 * @param {string} folder
 * @param {string} file
 * @param {string} text
 */
function write(folder, file, text) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}
