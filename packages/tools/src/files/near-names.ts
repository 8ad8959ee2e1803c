import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenFolder } from './open-folder.js'
import { similarity } from './similarity.js'

const ALIKE = 0.5
const MOST = 3

/** For a file that is not there: those in its folder that may have been meant. */
export async function nearNames(folder: OpenFolder, name: string): Promise<string> {
  const names = await readdir(folder.at('.')).catch(() => [])
  const near = names
    .map((other) => ({ other, alike: Math.max(similarity(other, name), similarity(stem(other), stem(name))) }))
    .filter(({ alike }) => alike >= ALIKE)
    .sort((a, b) => b.alike - a.alike || (a.other < b.other ? -1 : 1))
    .slice(0, MOST)
  if (near.length === 0) return ''
  return ` Is it one of these? ${near.map(({ other }) => join(folder.path, other)).join(', ')}`
}

function stem(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, '')
}
