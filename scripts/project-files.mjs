import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './environment.mjs'

// Our .gitignore has plain names and `*` only, so no git is needed to follow it.
const ignored = readFileSync(join(root, '.gitignore'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => line.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll('*', '.*'))
const isIgnored = new RegExp(`^(\\.git|${ignored.join('|')})$`)

/**
 * Every file below a folder that is, or could be, committed.
 * @param {string} folder
 * @returns {string[]}
 */
export function projectFiles(folder = root) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !isIgnored.test(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return projectFiles(path)
      return entry.isFile() ? [path] : []
    })
}
