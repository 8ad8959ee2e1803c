import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.js'

const entries = ['index', 'cli', 'conformance/index']

export default defineConfig({
  ...base,
  entry: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  dts: true,
})
