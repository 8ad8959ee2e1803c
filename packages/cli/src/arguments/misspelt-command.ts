import type { Command } from 'commander'
import { nearestWord } from '../settings/nearest-word.js'

/** What to say where a word, which would be a prompt, looks like a command with a slip in it; `--` before it makes it a prompt. */
export function misspeltCommand(
  program: Command,
  args: readonly string[],
  word: string | undefined,
): string | undefined {
  const isForScripts = args.some((each) => each.startsWith('-p') || each.startsWith('--print'))
  if (isForScripts || args.includes('--')) return undefined
  const known = program.commands.map((command) => command.name())
  if (word === undefined || !/^[a-z]{3,}$/.test(word) || word === 'help' || known.includes(word)) return undefined
  const name = nearestWord(word, known)
  return name && `There is no command '${word}'. Did you mean 'nacre ${name}'? As a prompt: nacre -- ${word}`
}
