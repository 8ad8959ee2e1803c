import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'

/** Makes a script of a source file, with all that it imports, so that a process of its own can run it anywhere. */
export async function bundleChild(source: URL, folder: string): Promise<string> {
  const path = fileURLToPath(source)
  const name = basename(path, '.ts')
  await build({
    entry: { [name]: path },
    outDir: folder,
    format: 'esm',
    target: 'node20',
    silent: true,
    config: false,
    noExternal: [/^@nacre\//],
    external: ['vitest'],
    outExtension: () => ({ js: '.mjs' }),
    // A package of the older kind asks for what Node has by `require`.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    esbuildOptions: (options) => {
      options.conditions = ['@nacre/source']
    },
  })
  return join(folder, `${name}.mjs`)
}
