// Our own code only, minified and compressed: what a package depends on is not counted.
const budgets = { core: '20 kB', simulator: '30 kB' }

module.exports = Object.entries(budgets).map(([folder, limit]) => {
  const { name, dependencies = {}, peerDependencies = {} } = require(`./packages/${folder}/package.json`)
  return {
    name,
    path: `packages/${folder}/dist/index.js`,
    limit,
    ignore: Object.keys({ ...dependencies, ...peerDependencies }),
    modifyEsbuildConfig: (config) => ({ ...config, platform: 'node' }),
  }
})
