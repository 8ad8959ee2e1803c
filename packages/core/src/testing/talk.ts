import type { NacreError } from '../errors.js'
import { createSession } from '../session/create-session.js'
import type { Session } from '../session/types.js'
import { memoryStore } from '../stores/memory-store.js'
import type { Entry } from '../types/log.js'
import type { ModelInfo, Request } from '../types/model.js'
import type { PluginList } from '../types/plugin.js'
import type { Tool } from '../types/tool.js'
import { scriptedModel } from './scripted-model.js'

/** A conversation of a few prompts, each of which takes a call. */
interface Talk {
  readonly session: Session
  readonly model: ModelInfo
  readonly requests: readonly Request[]
  /** How the queries ended. */
  readonly ends: string[]
  readonly reports: NacreError[]
  say(prompt: string): Promise<void>
  /** All that was logged. Closes the session. */
  log(): Promise<readonly Entry[]>
}

interface TalkOptions {
  readonly flags?: Readonly<Record<string, boolean>>
  /** Flags that change while the session runs. */
  live?(name: string): boolean | undefined
}

export const PROMPTS = ['Look at the parser.', 'Look at the lexer.', 'Look at the printer.']
const ID = 'contract'

const look: Tool = {
  name: 'contract_look',
  description: 'Looks at a file.',
  schema: { json: { type: 'object' }, parse: (input) => input },
  isCompactable: true,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: () => ({ content: [{ type: 'text', text: 'A long line of a file. '.repeat(400) }] }),
}

/** Starts a session on a scripted model. Time, ids and chance are the same for each. */
export async function startTalk(plugins: PluginList, { flags = {}, live }: TalkOptions = {}): Promise<Talk> {
  const model = scriptedModel((request) => (hasResult(request) ? 'Seen.' : [CALL]))
  const store = memoryStore()
  const reports: NacreError[] = []
  const ends: string[] = []
  let ids = 0
  const effects = { now: () => 0, newId: () => `entry-${++ids}`, random: () => 0.5, wait: () => undefined }
  const report = (error: NacreError) => void reports.push(error)
  const details = { effects, report, ...(live && { flagSources: { live: { read: live } } }) }
  const session = await createSession({ model, plugins, tools: [look], flags, store, open: { id: ID }, details })
  return {
    session,
    model: model.info,
    requests: model.requests,
    ends,
    reports,
    async say(prompt) {
      for await (const event of session.query(prompt)) {
        if (event.type === 'end') ends.push(event.error ? `${event.reason}: ${event.error.message}` : event.reason)
      }
      // Background work that waits for nothing has its turn.
      await new Promise((resolve) => setTimeout(resolve))
    },
    async log() {
      await session.close()
      const opened = await store.open(ID, new AbortController().signal)
      const entries: Entry[] = []
      for await (const entry of opened.read('entry-1')) entries.push(entry)
      await opened.close()
      return entries
    },
  }
}

/** Starts a session, says all prompts, and closes it. */
export async function talkThrough(plugins: PluginList, options?: TalkOptions): Promise<Talk> {
  const talk = await startTalk(plugins, options)
  for (const prompt of PROMPTS) await talk.say(prompt)
  await talk.session.close()
  return talk
}

const CALL = { type: 'tool_use', name: look.name, input: {} }

function hasResult({ messages }: Request): boolean {
  const last = (messages as readonly { role: string; content: unknown }[]).findLast(({ role }) => role === 'user')
  return Array.isArray(last?.content) && last.content.some(({ type }) => type === 'tool_result')
}
