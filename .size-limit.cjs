// Our own code only, minified and compressed: what a package depends on is not counted.
const budgets = { core: '20 kB', simulator: '30 kB', 'simulator/conformance': '36 kB' }

module.exports = Object.entries(budgets).map(([entry, limit]) => {
  const [folder, ...below] = entry.split('/')
  const { name, dependencies = {}, peerDependencies = {} } = require(`./packages/${folder}/package.json`)
  return {
    name: [name, ...below].join('/'),
    path: ['packages', folder, 'dist', ...below, 'index.js'].join('/'),
    limit,
    ignore: Object.keys({ ...dependencies, ...peerDependencies }),
    modifyEsbuildConfig: (config) => ({ ...config, platform: 'node' }),
  }
})
