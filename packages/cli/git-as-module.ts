import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * For Node, `isomorphic-git` offers the older format alone, and what is loaded late of that has no names in a bundle.
 * The module lies beside it.
 */
export const gitAsModule: Plugin = {
  name: 'git-as-module',
  setup(build) {
    build.onResolve({ filter: /^isomorphic-git$/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === 'asked already') return undefined
      const found = await build.resolve(path, { kind, resolveDir, pluginData: 'asked already' })
      return { ...found, path: found.path.replace(/\.cjs$/, '.js') }
    })
  },
}
