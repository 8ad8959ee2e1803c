import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.js'

const entries = ['index', 'anthropic/index', 'import/index', 'node/index', 'openfeature/index', 'testing/index']

export default defineConfig({
  ...base,
  entry: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  dts: true,
})
