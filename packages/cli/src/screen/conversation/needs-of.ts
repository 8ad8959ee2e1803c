import type { PersonVerdict, Tool, ToolCall } from '@nacre/core'
import { suggestRule } from '@nacre/tools'
import type { OpenNeeds } from '../../session/open-needs.js'
import { askPermission } from '../dialog/ask-permission.js'
import { askQuestions } from '../dialog/ask-questions.js'
import { askTrust } from '../dialog/ask-trust.js'
import { pickSession } from '../dialog/pick-session.js'
import { sizeOf } from '../paint/size-of.js'
import { callTitle } from '../show/call-title.js'
import { previewLines } from '../show/preview-lines.js'
import { plainLines } from '../text/plain-lines.js'
import { span } from '../text/span.js'
import type { ConversationParts } from './conversation-parts.js'

/** What a session may ask of the person in front of the screen. */
export function needsOf(parts: ConversationParts, allow: AllowParts): OpenNeeds {
  const { dialogs, store, terminal, signal } = parts
  const width = () => terminal.stdout.columns || 80
  const told = new Set<string>()
  return {
    ask: (call, reason, stopped) => permit(parts, allow, { call, reason }, stopped),
    askUser: (questions, stopped) => askQuestions(dialogs, questions, stopped),
    trustAsked: (question) => askTrust(dialogs, question, signal),
    pickSession: (sessions) => pickSession(dialogs, sessions, signal),
    report({ message }) {
      // What fails at every turn would fill the screen; /plugins says how often it was.
      if (told.has(message)) return
      told.add(message)
      store.print(plainLines(message, width(), 'yellow'))
    },
  }
}

/** What a dialog takes beside what it is about. */
const DIALOG_ROWS = 12

/** What is known of the session by the time a call asks. */
export interface AllowParts {
  tool(name: string): Tool | undefined
  addRule(rule: string): Promise<void>
}

async function permit(
  { dialogs, store, terminal }: ConversationParts,
  { tool, addRule }: AllowParts,
  { call, reason }: { readonly call: ToolCall; readonly reason: string },
  signal: AbortSignal,
): Promise<PersonVerdict> {
  const rule = suggestRule(call, terminal.cwd)
  const { columns, rows } = sizeOf(terminal.stdout)
  const whole = previewLines(call, columns - 1)
  // Nobody can allow what is cut off: what does not fit into the dialog is printed before it.
  const isAbove = whole.length > rows - DIALOG_ROWS
  if (isAbove) store.print([[], [span(callTitle(call, tool(call.name)), 'bold')], ...whole])
  const question = { call, tool: tool(call.name), reason, rule, isAbove }
  const answer = await askPermission(dialogs, question, signal)
  if (answer.verdict === 'always') await addRule(answer.rule)
  if (answer.verdict !== 'no') return 'allow'
  return answer.why === undefined ? 'deny' : { deny: answer.why }
}
