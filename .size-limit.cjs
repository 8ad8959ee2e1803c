const { dependencies: ofCore } = require('./packages/core/package.json')

// Minified and compressed. Of a package only our own code counts, but what core depends on is so small that it counts too.
const budgets = [
  ['core', '20 kB', '{ createSession }'],
  ['core', '41 kB', '{ createSession }', 'with all that it loads for plugins and edits'],
  ['core/anthropic', '7 kB'],
  ['core/import', '8 kB'],
  ['core/node', '12 kB'],
  ['core/openfeature', '2 kB'],
  ['core/testing', '45 kB'],
  ['session-memory', '10 kB'],
  ['tools', '80 kB'],
  ['tools/storage', '8 kB'],
  ['compact', '40 kB'],
  ['simulator', '31 kB'],
  ['simulator/conformance', '36 kB'],
]

/** What a program loads later, if ever, is not in the bundle that it starts with. */
const loadedLater = {
  name: 'loaded-later',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    )
  },
}

/** The program is a bundle already: what is read before the first prompt, and all of it. */
const program = [
  {
    what: 'to its first prompt',
    names: ['main', 'run-????????', 'run-screen-????????'],
    limit: '40 kB',
    plugins: [loadedLater],
  },
  { what: 'whole', names: ['main'], limit: '2.2 MB' },
].map(({ what, names, limit, plugins = [] }) => ({
  name: `@nacre/cli ${what}`,
  path: names.map((name) => `packages/cli/dist/${name}.js`),
  limit,
  ignore: ['react-devtools-core'],
  modifyEsbuildConfig: (config) => ({ ...config, platform: 'node', format: 'esm', plugins }),
}))

const libraries = budgets.map(([entry, limit, imported, whole]) => {
  const [folder, ...below] = entry.split('/')
  const { name, dependencies = {}, peerDependencies = {} } = require(`./packages/${folder}/package.json`)
  const others = Object.keys({ ...dependencies, ...peerDependencies }).filter((each) => !(each in ofCore))
  return {
    name: [[name, ...below].join('/'), imported, whole].filter(Boolean).join(' '),
    path: ['packages', folder, 'dist', ...below, 'index.js'].join('/'),
    limit,
    ...(imported && { import: imported }),
    ignore: others,
    modifyEsbuildConfig: (config) => ({
      ...config,
      platform: 'node',
      ...(imported && !whole && { plugins: [loadedLater] }),
    }),
  }
})

module.exports = [...libraries, ...program]
