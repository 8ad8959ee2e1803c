import { completeSlashCommand } from '../../slash/complete-slash-command.js'
import type { SlashContext } from '../../slash/slash-command.js'
import type { Suggestions } from '../input/suggestions.js'

/** What a line may become, first itself where it is a command already; nothing where it can become nothing else. */
export function suggest(line: string, context: SlashContext): Suggestions | undefined {
  // A path or a text of several lines is no command.
  if (!/^\/[\w-]*( [^\n]*)?$/.test(line)) return undefined
  const items = completeSlashCommand(line, context)
  const isComplete = items.every((item) => item.line === line.trimEnd())
  return isComplete ? undefined : { items, at: 0 }
}
