import type { ParsedCommand } from './command-part.js'
import { writesOf } from './file-accesses.js'
import { harmlessReads } from './harmless-reads.js'
import { parseCommand } from './parse-command.js'

/** Whether a command line plainly does nothing but read and print, whatever it is made of. */
export function isReadOnlyCommand(command: string, cwd = process.cwd()): boolean {
  return isReadOnly(parseCommand(command, cwd))
}

/** The same for one that is parsed already. */
export function isReadOnly({ parts, unclear }: ParsedCommand): boolean {
  if (unclear.length > 0) return false
  return parts.every((part) => harmlessReads(part) !== undefined && writesOf(part).length === 0)
}
