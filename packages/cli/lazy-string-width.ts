import { readFile } from 'node:fs/promises'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

const EAGER = 'const segmenter = new Intl.Segmenter();'
const LAZY =
  'let made; const segmenter = { segment: (text) => { made ??= new Intl.Segmenter(); return made.segment(text); } };'
const PLAIN = String.raw`/^[\u0020-\u007E]*$/`
/** The prompt, dots and points are one column each, as letters are. */
const PLAIN_AND_OURS = String.raw`/^[\u0020-\u007E\u00B7\u2026\u276F]*$/`

/**
 * A third of the time to the first prompt went into measuring its width: `string-width` makes a segmenter when it is
 * loaded, and compiles large expressions for the first letter that is no ASCII. In the bundle it does both when they
 * are needed.
 */
export const lazyStringWidth: Plugin = {
  name: 'lazy-string-width',
  setup(build) {
    build.onLoad({ filter: /[\\/]string-width[\\/]index\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      // Older versions, which other packages bring along, are left as they are.
      return { contents: source.replace(EAGER, LAZY).replace(PLAIN, PLAIN_AND_OURS), loader: 'js' }
    })
  },
}
