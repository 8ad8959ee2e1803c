import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { dirname, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './environment.mjs'
import { projectFiles } from './project-files.mjs'

// Folders that stand in prose and samples everywhere, so that their names prove nothing.
const common = [
  '/',
  '/app',
  '/data',
  '/etc',
  '/home',
  '/mnt',
  '/opt',
  '/root',
  '/srv',
  '/tmp',
  '/usr',
  '/var',
  tmpdir(),
]

const files = projectFiles()

describe('every file of the project', () => {
  it('is free of paths of the machine it was written on', () => {
    const folders = [root, dirname(root), ...homeFolders()].filter((folder) => !common.includes(folder))
    expect(filesWith(folders.map((folder) => new RegExp(`(?<![\\w./~-])${literally(folder)}(?![\\w.-])`)))).toEqual([])
  })

  it('is free of the name of the registry in use', () => {
    const registry = execSync('npm config get registry', { encoding: 'utf8', stdio: 'pipe' }).trim()
    expect(filesWith([new RegExp(literally(new URL(registry).host))])).toEqual([])
  })
})

/** As the environment has it and as the system has it; a user need not have an entry there. */
function homeFolders() {
  return [homedir, () => userInfo().homedir].flatMap((ask) => {
    try {
      return [ask()]
    } catch {
      return []
    }
  })
}

/** @param {readonly RegExp[]} patterns */
function filesWith(patterns) {
  return files
    .filter((file) => patterns.some((pattern) => pattern.test(readText(file))))
    .map((file) => relative(root, file))
}

/**
 * Binary files count as empty.
 * @param {string} file
 */
function readText(file) {
  const text = readFileSync(file, 'utf8')
  return text.includes('\0') ? '' : text
}

/** @param {string} text */
function literally(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
