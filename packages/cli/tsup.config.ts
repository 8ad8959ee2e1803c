import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { defineConfig } from 'tsup'
import { bundleOptions } from './bundle.config.js'
import { outputJsonSchema } from './src/headless/schema/output-json-schema.js'
import { settingsJsonSchema } from './src/settings/settings-json-schema.js'
import { thirdPartyLicenses } from './third-party-licenses.js'

const schemas = { 'settings.schema.json': settingsJsonSchema, 'output.schema.json': outputJsonSchema }
const report = 'dist/metafile-esm.json'

export default defineConfig({
  ...bundleOptions,
  metafile: true,
  async onSuccess() {
    await mkdir('dist', { recursive: true })
    for (const [name, schema] of Object.entries(schemas)) {
      await writeFile(`dist/${name}`, `${JSON.stringify(schema(), undefined, 2)}\n`)
    }
    await writeFile(
      'dist/third-party-licenses.txt',
      await thirdPartyLicenses(JSON.parse(await readFile(report, 'utf8'))),
    )
    await rm(report)
  },
})
