import { homedir } from 'node:os'
import { leadsTo } from '../leads-to.js'
import { type CommandPart, nameOf } from './command-part.js'

const MOST = 16

/** Where the next command may run: where this one ran, or where it went to. None when that is not known. */
export function foldersAfter(part: CommandPart, isLoop: boolean): readonly string[] {
  const { folders, words } = part
  const name = nameOf(part)
  if (name === 'pushd' || name === 'popd') return []
  if (name !== 'cd' || folders.length === 0) return folders
  const [target, more] = words.slice(1).filter(({ text }) => !/^-[LPe@]*-?$/.test(text) || text === '-')
  if (isLoop || more || (target && (target.kind !== 'static' || target.text === '-'))) return []
  const reached = folders.map((folder) => leadsTo(target?.text ?? homedir(), folder))
  const all = [...new Set([...folders, ...reached])]
  return all.length > MOST ? [] : all
}
