import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { onDisk } from './disk-names.js'

/** Settings that git itself writes and that start nothing. All others may. */
const HARMLESS = new RegExp(
  `^(${[
    'core\\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|sharedrepository|untrackedcache|splitindex|sparsecheckout|sparsecheckoutcone)',
    'user\\.(name|email)',
    'init\\.defaultbranch',
    'branch\\.[^\\n]*\\.(remote|merge|rebase|description|pushremote|vscode-merge-base)',
    'remote\\.[^\\n]*\\.(url|fetch|push|pushurl|tagopt|prune|partialclonefilter|promisor|mirror)',
    'submodule\\.([^\\n]*\\.)?(url|active|branch)',
    'extensions\\.(objectformat|partialclone|refstorage|worktreeconfig)',
    'pull\\.(rebase|ff)',
    'push\\.default',
    'gc\\.(auto|autodetach|autopacklimit|pruneexpire|reflogexpire|reflogexpireunreachable|worktreepruneexpire)',
    'advice\\.[a-z]+',
    'commit\\.gpgsign',
    'tag\\.gpgsign',
    'merge\\.conflictstyle',
    'diff\\.(algorithm|renames)',
    'color\\.[a-z]+(\\.[a-z]+)?',
  ].join('|')})$`,
)
const ADDRESS = /^(https?:\/\/|ssh:\/\/|git:\/\/|file:\/\/|[\w.-]+@[\w.-]+:|\.{0,2}\/|[\w.-]+(\/[\w./-]*)?$)/

/**
 * Whether the settings of a repository can't start a program, by a list of those that can't. Those that were there before
 * are the person's own.
 */
export async function isHarmlessConfig(path: string, text: string, before = ''): Promise<boolean> {
  const own = new Set(settingsIn(before)?.map(({ key, value }) => `${key}=${value}`) ?? [])
  const settings = settingsIn(text)
  if (!settings) return false
  for (const { key, value } of settings) {
    if (own.has(`${key}=${value}`)) continue
    if (key === 'core.worktree' ? !(await isOwnModule(path, value)) : !isHarmless(key, value)) return false
  }
  return true
}

function isHarmless(key: string, value: string): boolean {
  if (!HARMLESS.test(key)) return false
  if (/\.(push)?url$/.test(key)) return ADDRESS.test(value) && !isUnwatched(value)
  return !/^branch\..*remote$/.test(key) || !isUnwatched(value)
}

/** A push runs the hooks of a repository of this disk, and in such folders nobody looks after them. */
function isUnwatched(address: string): boolean {
  return !/^(?!file:)[a-z]+:\/\//.test(address) && /(^|\/)(node_modules|\.hg|\.svn|\.git(?=\/.))(\/|$)/.test(address)
}

/** Git writes into the folder that is named there: that of a module, which names its repository in turn. */
async function isOwnModule(path: string, value: string): Promise<boolean> {
  const folder = dirname(path)
  const module = resolve(folder, value)
  const text = await readFile(onDisk(join(module, '.git')), 'utf8').catch(() => '')
  const [, named] = /^gitdir: (.*)$/m.exec(text) ?? []
  return named !== undefined && resolve(module, named.trim()) === folder
}

/** Nothing where a line can't be read for sure. */
function settingsIn(text: string): { readonly key: string; readonly value: string }[] | undefined {
  const settings: { readonly key: string; readonly value: string }[] = []
  let section = ''
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    const [, name, sub] = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]$/.exec(line) ?? []
    if (name !== undefined) {
      section = sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub}`
      continue
    }
    const [, key, value = ''] = /^([a-zA-Z][\w-]*)\s*(?:=\s*(.*))?$/.exec(line) ?? []
    // A line that goes on below could be anything.
    if (key === undefined || value.endsWith('\\')) return undefined
    settings.push({ key: `${section}.${key.toLowerCase()}`, value })
  }
  return settings
}
