import type { RunOptions } from '../../arguments/run-options.js'
import { runSlashCommand } from '../../slash/run-slash-command.js'
import type { SlashContext } from '../../slash/slash-command.js'
import type { ConversationParts } from './conversation-parts.js'

/** Runs a slash command and prints what it says; gives what to open where another session is to take over. */
export async function runCommand(
  line: string,
  context: SlashContext,
  { store, options, end }: ConversationParts,
): Promise<RunOptions | undefined> {
  const { text, next } = await runSlashCommand(line, context)
  if (text !== '') store.print(text)
  if (!next) return undefined
  if ('open' in next) return { ...options, open: { kind: 'resume', text: next.open.resume, fork: false } }
  end()
  return undefined
}
