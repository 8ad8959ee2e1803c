import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/** The file that a package begins with, looked for from each folder upwards; `undefined` where none has one that may be used. */
export async function resolvePackage(
  name: string,
  from: readonly string[],
  mayUse: (file: string) => boolean,
): Promise<string | undefined> {
  for (const folder of from) {
    const found = await resolveFrom(name, folder)
    if (found !== undefined && mayUse(found)) return found
  }
  return undefined
}

/** Whether a name is a file and not a package. */
export function isPath(name: string): boolean {
  return name.startsWith('./') || name.startsWith('../') || isAbsolute(name)
}

async function resolveFrom(name: string, folder: string): Promise<string | undefined> {
  if (isPath(name)) {
    const file = resolve(folder, name)
    return existsSync(file) ? file : undefined
  }
  const [, packageName = name, below] = /^((?:@[^/]+\/)?[^/]+)(\/.+)?$/.exec(name) ?? []
  for (let at = resolve(folder); ; at = dirname(at)) {
    const place = join(at, 'node_modules', packageName)
    if (existsSync(join(place, 'package.json'))) return entryOf(place, `.${below ?? ''}`, name)
    if (dirname(at) === at) return undefined
  }
}

/** Modules first: a package that has both forms has to share what it imports with the program. */
async function entryOf(place: string, below: string, name: string): Promise<string | undefined> {
  const { exports: map } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as { exports?: Target }
  const target = map === undefined ? undefined : targetOf(map, below)
  if (target !== undefined) return join(place, target)
  try {
    return createRequire(join(place, '..', 'from.js')).resolve(
      map === undefined && below !== '.' ? join(place, below) : name,
    )
  } catch {
    return undefined
  }
}

type Target = string | null | readonly Target[] | { readonly [key: string]: Target }
const CONDITIONS: ReadonlySet<string> = new Set(['node', 'import', 'module-sync', 'default'])

function targetOf(map: Target, below: string): string | undefined {
  const keyed = typeof map === 'object' && map !== null && Object.keys(map).some((key) => key.startsWith('.'))
  if (keyed) return conditional((map as { readonly [key: string]: Target })[below] ?? null)
  return below === '.' ? conditional(map) : undefined
}

function conditional(target: Target): string | undefined {
  if (typeof target === 'string') return target
  if (target === null) return undefined
  const choices = Array.isArray(target)
    ? (target as readonly Target[])
    : Object.entries(target as { readonly [key: string]: Target }).flatMap(([key, value]) =>
        CONDITIONS.has(key) ? [value] : [],
      )
  return choices.map(conditional).find((found) => found !== undefined)
}
