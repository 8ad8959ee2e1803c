import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.js'

export default defineConfig([
  { ...base, entry: { main: 'src/main.ts', worker: 'src/play/worker.ts' } },
  // What draws the charts stands in the page itself, so it is one script with all that it needs.
  {
    ...base,
    clean: false,
    entry: { charts: 'src/report/draw-charts.browser.ts' },
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    noExternal: [/./],
  },
])
