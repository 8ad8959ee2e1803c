const { dependencies: ofCore } = require('./packages/core/package.json')
const { sizes } = require('./figures.json')

// Minified and compressed. Of a package only our own code counts, but what core depends on is so small that it counts
// too. What is measured, and how large it may be, stands in figures.json: '@nacre/package/entry { imported }'.
const limitOf = (name) => `${sizes[name].at(-1).kB} kB`

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
    plugins: [loadedLater],
  },
  { what: 'whole', names: ['main'] },
].map(({ what, names, plugins = [] }) => ({
  name: `@nacre/cli ${what}`,
  path: names.map((name) => `packages/cli/dist/${name}.js`),
  limit: limitOf(`@nacre/cli ${what}`),
  ignore: ['react-devtools-core'],
  modifyEsbuildConfig: (config) => ({ ...config, platform: 'node', format: 'esm', plugins }),
}))

const libraries = Object.keys(sizes).flatMap((name) => {
  const [, folder, below = '', imported] = /^@nacre\/([^/ ]+)((?:\/\w+)*)(?: (\{.*\}))?$/.exec(name) ?? []
  if (!folder) return []
  const { dependencies = {}, peerDependencies = {} } = require(`./packages/${folder}/package.json`)
  const others = Object.keys({ ...dependencies, ...peerDependencies }).filter((each) => !(each in ofCore))
  return {
    name,
    path: `packages/${folder}/dist${below}/index.js`,
    limit: limitOf(name),
    ...(imported && { import: imported }),
    ignore: others,
    modifyEsbuildConfig: (config) => ({ ...config, platform: 'node' }),
  }
})

module.exports = [...libraries, ...program]
