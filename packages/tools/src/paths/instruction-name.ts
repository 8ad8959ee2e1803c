import { basename } from 'node:path'

/** The names of files with instructions for agents, the more particular later. */
export const INSTRUCTION_NAMES = ['AGENTS.md', 'CLAUDE.md', 'NACRE.md'] as const

/** Those that a person keeps beside them for themselves. */
export const LOCAL_INSTRUCTION_NAMES = INSTRUCTION_NAMES.map((name) => name.replace(/\.md$/, '.local.md'))

export function isInstructionFile(path: string): boolean {
  const name = basename(path)
  return [...INSTRUCTION_NAMES, ...LOCAL_INSTRUCTION_NAMES].includes(name)
}
