// Loads sources as they are, one module for each file, so that coverage can name the files: `.js` is looked for as
// `.ts` or `.tsx`, and types are taken out.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'

/** @type {Record<string, 'ts' | 'tsx'>} */
const loaders = { '.ts': 'ts', '.tsx': 'tsx' }

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, nextResolve) {
  const found =
    specifier.startsWith('.') && specifier.endsWith('.js') ? sourceOf(specifier, context.parentURL) : undefined
  return found ? { url: found, format: 'module', shortCircuit: true } : nextResolve(specifier, context)
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  const loader = loaders[extname(url)]
  if (!loader) return nextLoad(url, context)
  const text = await readFile(fileURLToPath(url), 'utf8')
  const { code } = await transform(text, { loader, format: 'esm', target: 'node20', jsx: 'automatic' })
  return { format: 'module', source: code, shortCircuit: true }
}

/**
 * @param {string} specifier
 * @param {string | undefined} parent
 */
function sourceOf(specifier, parent) {
  return Object.keys(loaders)
    .map((extension) => new URL(specifier.replace(/\.js$/, extension), parent))
    .find((url) => existsSync(url))?.href
}
