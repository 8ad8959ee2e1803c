import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'

/** Makes a script of a file in `children`, with all that it imports, so that a process of its own can run it anywhere. */
export async function bundleChild(name: string, folder: string): Promise<string> {
  await build({
    entry: { [name]: fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url)) },
    outDir: folder,
    format: 'esm',
    target: 'node20',
    silent: true,
    config: false,
    noExternal: [/./],
    outExtension: () => ({ js: '.mjs' }),
    esbuildOptions: (options) => {
      options.conditions = ['@nacre/source']
    },
  })
  return join(folder, `${name}.mjs`)
}
