import { describeReceipt } from '@nacre/compact'
import type { Block, Receipt, SessionEvent, Source } from '@nacre/core'
import { receiptLine } from '../../slash/format.js'
import type { ScreenStore } from '../state/screen-state.js'
import { plainLines, type Style } from '../text/lines.js'
import { splitFinished } from '../text/markdown.js'
import { answerLines } from './message-lines.js'
import { type CallDisplay, type CallSource, callDisplay } from './show-calls.js'

/** What is known of the session whose events they are. */
interface ShownSession extends CallSource {
  /** Whether a command runs, which says itself what was folded. */
  isCommanded(): boolean
  /** How far a dream is. */
  dreamPhase(): Promise<string | undefined>
}

/** Shows what a session tells, event by event. */
export function eventDisplay(
  store: ScreenStore,
  session: ShownSession,
  width: () => number,
): (event: SessionEvent) => void {
  const displays: Displays = {
    store,
    width,
    answers: answerDisplay(store, width),
    calls: callDisplay(store, session, width),
    receipts: receiptDisplay(store, width, session.isCommanded),
    tasks: taskDisplay(store, session.dreamPhase),
  }
  return (event) => {
    const show = SHOWN[event.type] as ((event: SessionEvent, displays: Displays) => void) | undefined
    show?.(event, displays)
  }
}

interface Displays {
  readonly store: ScreenStore
  readonly answers: AnswerDisplay
  readonly calls: CallDisplay
  readonly receipts: ReceiptDisplay
  readonly tasks: TaskDisplay
  width(): number
}

type Shown = {
  readonly [Type in SessionEvent['type']]?: (
    event: Extract<SessionEvent, { readonly type: Type }>,
    displays: Displays,
  ) => void
}

const WORKING = 'Working'
const NOTICES = { info: 'dim', warning: 'yellow', error: 'red' } as const

const SHOWN: Shown = {
  'turn-start'(_event, displays) {
    displays.calls.settle()
    label(displays, WORKING)
  },
  delta({ index, block }, displays) {
    if (block.type === 'text') displays.answers.add(index, String(block.text ?? ''))
    else if (block.type === 'thinking') label(displays, 'Thinking')
    else if (block.type === 'server_tool_use') label(displays, 'Searching the web')
  },
  response({ entry }, displays) {
    const { answers, calls } = displays
    for (const line of searchesIn(entry.content)) say(displays, line, 'dim')
    answers.finish(entry.content)
    calls.expect(entry.content)
  },
  'tool-start': ({ call }, { calls }) => calls.start(call),
  'tool-progress': ({ call, text }, { calls }) => calls.progress(call, text),
  'tool-end': ({ call, result }, { calls }) => calls.end(call, result),
  recovery({ kind, attempt, reason }, displays) {
    displays.answers.forget()
    label(displays, kind === 'retry' ? `Trying again (${attempt}): ${reason}` : reason)
  },
  receipt: ({ receipt }, { receipts }) => receipts.show(receipt),
  'fork-progress'({ source, characters }, displays) {
    if (source === 'compact') label(displays, compacting(characters))
    else displays.tasks.begin(source)
  },
  'fork-end'({ source }, displays) {
    if (source === 'compact') label(displays, WORKING)
    else displays.tasks.end(source)
  },
  notice({ notice }, displays) {
    if (!displays.receipts.isRepeated(notice.text)) say(displays, notice.text, NOTICES[notice.level])
  },
  end(_event, { answers, calls }) {
    answers.forget()
    calls.settle()
  },
}

/** What the server has searched for by itself, and what came of it. */
function searchesIn(content: readonly Block[]): readonly string[] {
  return content.flatMap((block) => {
    if (block.type !== 'server_tool_use' || block.name !== 'web_search') return []
    const { query } = block.input as { readonly query?: unknown }
    const found = content.find(
      ({ type, tool_use_id }) => type === 'web_search_tool_result' && tool_use_id === block.id,
    )?.content
    const failed = (found as { readonly error_code?: unknown } | undefined)?.error_code
    const came = Array.isArray(found)
      ? `${found.length} pages`
      : failed === undefined
        ? 'not answered yet'
        : `failed: ${String(failed)}`
    return [`Searched the web for "${String(query)}" (${came})`]
  })
}

/** How long a summary becomes nobody knows; that it grows can be seen. */
function compacting(characters: number): string {
  return characters === 0 ? 'Compacting' : `Compacting, ${characters.toLocaleString('en')} characters written`
}

function say({ store, width }: Displays, text: string, style: Style): void {
  store.print(plainLines(text, width(), style))
}

/** The clock of the work goes on, whatever it is about now. */
function label({ store }: Displays, text: string): void {
  const { work } = store.state().live
  if (work && work.label !== text) store.live({ work: { ...work, label: text } })
}

const NAMES: Readonly<Record<string, string>> = {
  session_memory: 'notes',
  extract_memories: 'remembering…',
  dream: 'dreaming',
}

/** What people call work beside the conversation. */
function taskName(source: Source): string {
  return NAMES[source] ?? source.replace(/^agent:/, '')
}

/** Shows work beside the conversation in the last line, for as long as it goes on. */
interface TaskDisplay {
  begin(source: Source): void
  end(source: Source): void
}

/** How often it is looked how far a dream is: nothing tells of it. */
const LOOK_MS = 500

function taskDisplay(store: ScreenStore, dreamPhase: () => Promise<string | undefined>): TaskDisplay {
  const running = new Map<Source, { name: string; readonly looking?: NodeJS.Timeout }>()
  const paint = () => store.live({ tasks: [...new Set([...running.values()].map(({ name }) => name))] })
  const look = async () => {
    const phase = await dreamPhase().catch(() => undefined)
    const task = running.get('dream')
    const name = phase === undefined ? taskName('dream') : `${taskName('dream')}: ${phase}`
    // It may be over by now.
    if (!task || task.name === name) return
    task.name = name
    paint()
  }
  return {
    begin(source) {
      if (running.has(source)) return
      const looking = source === 'dream' ? setInterval(() => void look(), LOOK_MS).unref() : undefined
      running.set(source, { name: taskName(source), ...(looking && { looking }) })
      paint()
      if (looking) void look()
    },
    end(source) {
      clearInterval(running.get(source)?.looking)
      running.delete(source)
      paint()
    },
  }
}

/** Shows an answer while it comes: what is finished is printed at once, only its end is painted anew. */
interface AnswerDisplay {
  add(index: number, piece: string): void
  /** The whole answer is there: prints what was not printed yet. */
  finish(content: readonly Block[]): void
  /** What came so far will not go on. */
  forget(): void
}

function answerDisplay(store: ScreenStore, width: () => number): AnswerDisplay {
  let at = -1
  let text = ''
  /** How much of the text has been printed. */
  let printed = 0
  const paint = paced(() => {
    const { finished, rest } = splitFinished(text.slice(printed))
    if (finished !== '') {
      print(finished)
      printed += finished.length
    }
    store.live({ answer: rest.trim() === '' ? [] : answerLines(rest, width(), printed === 0) })
  })
  const print = (part: string) => {
    if (part.trim() === '') return
    const lines = answerLines(part, width(), printed === 0)
    store.print([[], ...lines])
  }
  const begin = (index: number) => {
    at = index
    text = ''
    printed = 0
  }
  const settle = () => {
    paint.stop()
    if (at >= 0) print(text.slice(printed))
    store.live({ answer: [] })
    begin(-1)
  }
  return {
    add(index, piece) {
      if (index !== at) {
        settle()
        begin(index)
      }
      text += piece.replace(/\r\n?/g, '\n')
      paint.soon()
    },
    finish(content) {
      const wasStreamed = at >= 0
      settle()
      if (wasStreamed) return
      for (const block of content) {
        if (block.type === 'text' && String(block.text).trim() !== '') print(String(block.text))
      }
    },
    forget: settle,
  }
}

/** Work that is repeated often, and takes no more than a small part of the time. */
interface Paced {
  /** At once where the last time was quick, and soon where it was not. */
  soon(): void
  stop(): void
}

const PART = 8
const LONGEST_MS = 1_000

function paced(work: () => void): Paced {
  let timer: NodeJS.Timeout | undefined
  let rest = 0
  const run = () => {
    timer = undefined
    const start = performance.now()
    work()
    rest = start + (performance.now() - start) * PART
  }
  return {
    soon() {
      if (timer) return
      const wait = Math.min(LONGEST_MS, rest - performance.now())
      if (wait <= 0) run()
      else timer = setTimeout(run, wait)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** Shows what a compaction did, once. */
interface ReceiptDisplay {
  show(receipt: Receipt): void
  /** Whether a notice says again what a receipt has said: the layer that folds writes one into the log. */
  isRepeated(notice: string): boolean
}

function receiptDisplay(store: ScreenStore, width: () => number, isCommanded: () => boolean): ReceiptDisplay {
  let last: string | undefined
  return {
    show(receipt) {
      last = describeReceipt(receipt)
      if (!isCommanded()) store.print(plainLines(receiptLine(receipt), width(), 'magenta'))
    },
    isRepeated: (notice) => notice === last,
  }
}
