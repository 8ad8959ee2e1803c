import type { Options } from 'tsup'
import { base } from '../../tsup.base.js'
import { lazyStringWidth } from './lazy-string-width.js'

/**
 * One file to start, the rest loaded when it is needed. All that is imported is bundled, so that a start reads few
 * files and an installation brings none of it along. Tests bundle the sources in the same way.
 */
export const bundleOptions: Options = {
  ...base,
  entry: { main: 'src/main.ts' },
  splitting: true,
  minify: true,
  // Ink has a use for the tools of React's developers where DEV is set, and does without them.
  noExternal: [/^(?!react-devtools-core$)/],
  external: ['react-devtools-core'],
  env: { NODE_ENV: 'production' },
  esbuildPlugins: [lazyStringWidth],
  // Packages in the older format ask for what Node has by `require`.
  banner: {
    js: "import { createRequire as nacreRequire } from 'node:module';const require = nacreRequire(import.meta.url);",
  },
}
