import type { Command } from 'commander'
import { nearestWord } from '../settings/nearest-word.js'

/** What to say where a prompt of one word looks like a command with a slip in it; `--` before it makes it a prompt. */
export function misspeltCommand(
  program: Command,
  args: readonly string[],
  prompt: string | undefined,
): string | undefined {
  if (prompt === undefined || !/^[a-z]{3,}$/.test(prompt) || args.includes('--')) return undefined
  const name = nearestWord(
    prompt,
    program.commands.map((command) => command.name()),
  )
  return name && `There is no command '${prompt}'. Did you mean 'nacre ${name}'? As a prompt: nacre -- ${prompt}`
}
