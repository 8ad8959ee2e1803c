import type { Tool } from '@nacre/core'
import type { RunOptions } from '../../arguments/run-options.js'
import type { OpenedSession } from '../../session/opened-session.js'
import { answerShower } from '../show/answer-shower.js'
import { callShower } from '../show/call-shower.js'
import { greetingLines } from '../show/greeting-lines.js'
import { receiptShower } from '../show/receipt-shower.js'
import { showEvent } from '../show/show-event.js'
import type { ConversationParts } from './conversation-parts.js'
import { needsOf } from './needs-of.js'
import { statusOf } from './status-of.js'

/** A session that is open in front of the person. */
export interface Seat {
  readonly opened: OpenedSession
  /** Reads the figures of the last line anew. */
  refresh(): void
  /** Runs a command, which says itself what it does. */
  commanded<T>(run: () => Promise<T>): Promise<T>
  /** The id of the session, where something was said in it. */
  id(): string | undefined
  /** Lets the session go. */
  close(): Promise<void>
}

/** Opens a session and shows what it tells from then on; only then the one before is let go. */
export async function takeSeat(parts: ConversationParts, options: RunOptions, before?: Seat): Promise<Seat> {
  const { store, terminal } = parts
  const width = () => terminal.stdout.columns || 80
  const tools = new Map<string, Tool>()
  let isCommanded = false
  const allow = {
    tool: (name: string) => tools.get(name),
    addRule: async (rule: string) => void (await opened.permissions.addRule('allow', rule)),
  }
  const opened = await parts.open(options, needsOf(parts, allow))
  await before?.close()
  const refresh = () => void readFigures().catch(() => undefined)
  const readFigures = async () => {
    const inspection = await opened.session.inspect()
    for (const { contribution } of inspection.plugins)
      for (const tool of contribution.tools ?? []) tools.set(tool.name, tool)
    store.change({ status: statusOf(opened, inspection, terminal.now()) })
  }
  const showers = {
    store,
    width,
    answers: answerShower(store, width),
    calls: callShower(store, { tool: (name) => tools.get(name), view: () => opened.session.view() }, width),
    receipts: receiptShower(store, width, () => isCommanded),
  }
  const stop = opened.session.events.on('event', (event) => {
    showEvent(event, showers)
    if (FIGURES.has(event.type)) refresh()
  })
  await readFigures()
  store.print(greetingLines(opened, terminal, width()))
  return {
    opened,
    refresh,
    id: () => (opened.session.view().rounds.length > 0 ? opened.session.id : undefined),
    async commanded(run) {
      isCommanded = true
      return run().finally(() => {
        isCommanded = false
      })
    },
    async close() {
      await opened.close()
      stop()
    },
  }
}

/** After these the figures are others. */
const FIGURES: ReadonlySet<string> = new Set(['usage', 'response', 'edit', 'end'])
