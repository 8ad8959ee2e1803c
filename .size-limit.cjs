const { dependencies: ofCore } = require('./packages/core/package.json')

// Minified and compressed. Of a package only our own code counts, but what core depends on is so small that it counts too.
const budgets = [
  ['core', '39 kB', '{ createSession }'],
  ['core/anthropic', '7 kB'],
  ['core/import', '8 kB'],
  ['core/node', '12 kB'],
  ['core/openfeature', '2 kB'],
  ['core/testing', '45 kB'],
  ['simulator', '30 kB'],
  ['simulator/conformance', '36 kB'],
]

module.exports = budgets.map(([entry, limit, imported]) => {
  const [folder, ...below] = entry.split('/')
  const { name, dependencies = {}, peerDependencies = {} } = require(`./packages/${folder}/package.json`)
  const others = Object.keys({ ...dependencies, ...peerDependencies }).filter((each) => !(each in ofCore))
  return {
    name: [name, ...below].join('/') + (imported ? ` ${imported}` : ''),
    path: ['packages', folder, 'dist', ...below, 'index.js'].join('/'),
    limit,
    ...(imported && { import: imported }),
    ignore: others,
    modifyEsbuildConfig: (config) => ({ ...config, platform: 'node' }),
  }
})
