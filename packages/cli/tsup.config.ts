import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.js'

/** One file to start, the rest loaded when it is needed; what is third-party is bundled, so that a start reads few files. */
export default defineConfig({
  ...base,
  entry: { main: 'src/main.ts' },
  splitting: true,
  dts: false,
})
