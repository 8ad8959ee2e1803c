import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type IgnoreRule, ignoreRules } from './ignore-rule.js'

/** The rules of git's `core.excludesFile`, looked up where ripgrep does. */
export function globalExcludes(): IgnoreRule[] {
  const home = homedir()
  const configuration = process.env.XDG_CONFIG_HOME || join(home, '.config')
  const named = [join(home, '.gitconfig'), join(configuration, 'git', 'config')]
    .map((file) => /^\s*excludesfile\s*=\s*"?\s*(\S+?)\s*"?\s*$/im.exec(readText(file))?.[1])
    .find((path) => path !== undefined)
  return ignoreRules(readText(named?.replace(/^~(?=\/)/, home) ?? join(configuration, 'git', 'ignore')))
}

/** A text file, or nothing where there is none. */
export function readText(path: string | Buffer): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
