import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'

/** Makes a script of a file in `children`, so that a process of its own can run it. */
export async function bundleChild(name: string, folder: string): Promise<string> {
  const entry = { [name]: fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url)) }
  const outExtension = () => ({ js: '.mjs' })
  const outDir = join(folder, 'children')
  await build({ entry, outDir, format: 'esm', target: 'node20', silent: true, config: false, outExtension })
  return join(outDir, `${name}.mjs`)
}
