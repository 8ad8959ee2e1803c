import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'

export interface BundledChild {
  readonly script: string
  remove(): void
}

/** Makes a script of a file in `children`, so that a process of its own can run it. It lies where its imports are found. */
export async function bundleChild(name: string, from: string = import.meta.url): Promise<BundledChild> {
  const source = fileURLToPath(new URL(`./children/${name}.ts`, from))
  const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'children-'))
  await build({
    entry: { [name]: source },
    outDir: folder,
    format: 'esm',
    target: 'node20',
    silent: true,
    config: false,
    noExternal: [/^@nacre\//, 'stemmer', 'eventemitter3'],
    external: ['isomorphic-git', 'diff', 'yaml', /^@secretlint\//],
    outExtension: () => ({ js: '.mjs' }),
    esbuildOptions: (options) => {
      options.conditions = ['@nacre/source']
    },
  })
  return { script: join(folder, `${name}.mjs`), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
