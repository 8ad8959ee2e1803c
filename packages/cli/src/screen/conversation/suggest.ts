import { completeSlashCommand } from '../../slash/complete-slash-command.js'
import type { SlashContext } from '../../slash/slash-command.js'
import type { Suggestions } from '../input/suggestions.js'

/** What a line may become; nothing where it is complete. */
export function suggest(line: string, context: SlashContext): Suggestions | undefined {
  // A path or a text of several lines is no command.
  if (!/^\/[\w-]*( [^\n]*)?$/.test(line)) return undefined
  const items = completeSlashCommand(line, context).filter((item) => item.line !== line.trimEnd())
  return items.length > 0 ? { items, at: 0 } : undefined
}
