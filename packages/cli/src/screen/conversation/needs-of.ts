import type { PersonVerdict, Tool, ToolCall } from '@nacre/core'
import { suggestRule } from '@nacre/tools'
import type { OpenNeeds } from '../../session/open-needs.js'
import { askPermission } from '../dialog/ask-permission.js'
import { askQuestions } from '../dialog/ask-questions.js'
import { askTrust } from '../dialog/ask-trust.js'
import { pickSession } from '../dialog/pick-session.js'
import { plainLines } from '../text/plain-lines.js'
import type { ConversationParts } from './conversation-parts.js'

/** What a session may ask of the person in front of the screen. */
export function needsOf(parts: ConversationParts, allow: AllowParts): OpenNeeds {
  const { dialogs, store, terminal, signal } = parts
  const width = () => terminal.stdout.columns || 80
  return {
    ask: (call, reason, stopped) => permit(parts, allow, { call, reason }, stopped),
    askUser: (questions, stopped) => askQuestions(dialogs, questions, stopped),
    trustAsked: (question) => askTrust(dialogs, question, signal),
    pickSession: (sessions) => pickSession(dialogs, sessions, signal),
    report: (error) => store.print(plainLines(`${error.message}`, width(), 'yellow')),
  }
}

/** What is known of the session by the time a call asks. */
export interface AllowParts {
  tool(name: string): Tool | undefined
  addRule(rule: string): Promise<void>
}

async function permit(
  { dialogs, terminal }: ConversationParts,
  { tool, addRule }: AllowParts,
  { call, reason }: { readonly call: ToolCall; readonly reason: string },
  signal: AbortSignal,
): Promise<PersonVerdict> {
  const rule = suggestRule(call, terminal.cwd)
  const answer = await askPermission(dialogs, { call, tool: tool(call.name), reason, rule }, signal)
  if (answer.verdict === 'always') await addRule(answer.rule)
  if (answer.verdict !== 'no') return 'allow'
  return answer.why === undefined ? 'deny' : { deny: answer.why }
}
