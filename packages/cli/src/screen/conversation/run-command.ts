import type { RunOptions } from '../../arguments/run-options.js'
import { runSlashCommand } from '../../slash/run-slash-command.js'
import type { SlashContext } from '../../slash/slash-command.js'
import type { ConversationParts } from './conversation-parts.js'

/** Runs a slash command and prints what it says; gives what is to come next: another session, or the end. */
export async function runCommand(
  line: string,
  context: SlashContext,
  { store, options }: ConversationParts,
): Promise<RunOptions | 'end' | undefined> {
  const { text, next } = await runSlashCommand(line, context)
  if (text !== '') store.print(text)
  if (!next) return undefined
  if ('exit' in next) return 'end'
  return { ...options, open: { kind: 'resume', text: next.open.resume, fork: false } }
}
