import { TextDecoder } from 'node:util'
import { NacreError } from '@nacre/core'

/** Files over this size are no memories. A person may keep them in the folder; they are left alone. */
export const MOST_BYTES = 1_000_000

/** What is ours in the folder and no part of its history. */
export const PRIVATE = '.nacre'
export const CONSOLIDATE_LOCK = '.consolidate-lock'

const LONGEST_NAME = 200
const LONGEST_PATH = 1_000
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNUSABLE = /[\u0000-\u001f\u007f\\:*?"<>|]/
// Some file systems skip these: to them a name with one of them is the name without it.
const SKIPPED = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/** Why a path can't be a file of the folder; `undefined` where it can. The same on all platforms. */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'it is empty'
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'it is not relative to the folder'
  if (UNUSABLE.test(path)) return 'it has a character that not every system takes in a name'
  if (path.length > LONGEST_PATH) return 'it is too long'
  if (Buffer.from(path).toString() !== path) return 'it is no proper Unicode'
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'it has an empty name, `.` or `..` in it'
    if (/[. ]$/.test(name)) return 'a name in it ends in a dot or a space'
    if (Buffer.byteLength(name) > LONGEST_NAME) return 'a name in it is too long'
    if (/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)) return `\`${name}\` is a device on some systems`
    if (isReservedName(name)) return `\`${name}\` is not for memories`
  }
  return undefined
}

/** Whether a name is git's or ours, so that no file or folder of that name is ever looked at. */
export function isReservedName(name: string): boolean {
  const plain = name.replace(SKIPPED, '').toLowerCase()
  if (plain === '.gitignore') return plain !== name
  const isOfGit = plain === '.' || plain === '..' || /^(\.git|git~\d)/.test(plain) || /[\\\0\n]/.test(name)
  return isOfGit || plain.startsWith(PRIVATE) || plain === CONSOLIDATE_LOCK
}

/** Two paths that are one file on some disks have the same key. */
export function diskKey(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/** Why a text can't be a file of the folder; `undefined` where it can. */
export function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'it is not text'
  const bytes = Buffer.from(text)
  if (bytes.length > MOST_BYTES) return `it is over ${MOST_BYTES / 1000} kB`
  return bytes.toString() === text ? undefined : 'it is no proper Unicode'
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of a file; `undefined` when it is none, or too much. */
export function textOf(data: Uint8Array): string | undefined {
  if (data.length > MOST_BYTES || data.includes(0)) return undefined
  return decodeText(data)
}

/** The text that these bytes are, however much; `undefined` when they are none. */
export function decodeText(data: Uint8Array): string | undefined {
  try {
    return decoder.decode(data)
  } catch {
    return undefined
  }
}

/** The error for a change of a file that can't be made. */
export function refusedPath(path: string, problem: string): NacreError {
  const message = `The file ${JSON.stringify(path)} can't be written to memory: ${problem}. Choose another.`
  return new NacreError('INVALID_REQUEST', message)
}
