import type { Inspection, Tool, ToolCall } from '@nacre/core'
import type { RunOptions } from '../../arguments/run-options.js'
import type { OpenedSession, OpenNeeds } from '../../session/opened-session.js'
import { sizeOf } from '../../terminal/terminal.js'
import type { Status } from '../state/screen-state.js'
import { askPerson, type Person } from './ask-person.js'
import { greetingLines } from './message-lines.js'
import { showAgents, unreadLines } from './show-agents.js'
import { eventDisplay } from './show-event.js'

/** What a conversation is held with. */
export interface ConversationContext extends Person {
  readonly options: RunOptions
  readonly hasColour: boolean
  open(options: RunOptions, needs: OpenNeeds): Promise<OpenedSession>
  /** The person wants to leave. */
  end(): void
  /** Something has come in that the model should hear. */
  woken?(): void
}

/** A session that is open in front of the person. */
export interface ActiveSession {
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
export async function activateSession(
  context: ConversationContext,
  options: RunOptions,
  before?: ActiveSession,
): Promise<ActiveSession> {
  const { store, terminal } = context
  const width = () => sizeOf(terminal.stdout).columns
  const tools = new Map<string, Tool>()
  let isCommanded = false
  const tool = (name: string) => tools.get(name)
  const addRule = async (rule: string) => void (await opened.permissions.addRule('allow', rule))
  const cageOf = ({ id }: ToolCall) => opened.permissions.cageOf(id)
  const opened = await context.open(options, askPerson(context, { tool, addRule, cageOf }))
  await before?.close()
  const refresh = () => void readFigures().catch(() => undefined)
  const readFigures = async () => {
    const inspection = await opened.session.inspect()
    for (const { contribution } of inspection.plugins)
      for (const each of contribution.tools ?? []) tools.set(each.name, each)
    store.change({ status: statusOf(opened, inspection, terminal.now()) })
  }
  const shown = {
    tool,
    view: () => opened.session.view(),
    isCommanded: () => isCommanded,
    dreamPhase: opened.controls.dreamPhase,
  }
  const showEvent = eventDisplay(store, shown, width)
  const stop = opened.session.events.on('event', (event) => {
    showEvent(event)
    if (FIGURES.has(event.type)) refresh()
  })
  const stopAgents = showAgents(context, opened)
  await readFigures()
  store.print(greetingLines(opened, terminal, width()))
  const left = unreadLines(opened, width())
  if (left.length > 0) store.print(left)
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
      stopAgents()
    },
  }
}

/** After these the figures are others. */
const FIGURES: ReadonlySet<string> = new Set(['usage', 'response', 'edit', 'end'])

/** The figures of the last line, as the session has them now. */
function statusOf(
  { session, permissions, settings }: OpenedSession,
  { model, cache }: Inspection,
  now: number,
): Status {
  const { hitRate, dollars } = session.cost()
  const view = session.view()
  const { total } = view.tokens
  const { percentLeft, warning, error } = session.thresholds()
  const isPlanning = view.state('plan-mode', 'mode') === true
  const isFree = permissions.mode === 'bypass' && settings.sandbox?.bypass !== 'work'
  return {
    model: model.id,
    mode: isPlanning ? 'plan' : permissions.mode,
    place: permissions.sandbox?.isReady && !isFree ? 'sandbox' : 'no sandbox',
    percentLeft: percentLeft(total),
    fill: total > error.tokens ? 'error' : total > warning.tokens ? 'warning' : undefined,
    hitRate,
    dollars,
    cacheUntil: cache.left === undefined ? undefined : now + cache.left,
  }
}
