import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.js'
import { gitAsModule } from './git-as-module.js'
import { lazyStringWidth } from './lazy-string-width.js'
import { outputJsonSchema } from './src/headless/output-schema.js'
import { settingsJsonSchema } from './src/settings/settings-schema.js'
import { thirdPartyLicenses } from './third-party-licenses.js'

const schemas = { 'settings.schema.json': settingsJsonSchema, 'output.schema.json': outputJsonSchema }
const report = 'dist/metafile-esm.json'

/**
 * One file to start, the rest loaded when it is needed. All that is imported is bundled, so that a start reads few
 * files and an installation brings none of it along.
 */
export default defineConfig({
  ...base,
  entry: { main: 'src/main.ts' },
  splitting: true,
  minify: true,
  // Ink has a use for the tools of React's developers where DEV is set, and does without them.
  noExternal: [/^(?!react-devtools-core$)/],
  external: ['react-devtools-core'],
  env: { NODE_ENV: 'production' },
  esbuildPlugins: [lazyStringWidth, gitAsModule],
  // Packages in the older format ask for what Node has by `require`.
  banner: {
    js: "import { createRequire as nacreRequire } from 'node:module';const require = nacreRequire(import.meta.url);",
  },
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
