import type { SessionEvent } from '@nacre/core'
import type { ScreenStore } from '../state/screen-store.js'
import { plainLines } from '../text/plain-lines.js'
import type { Style } from '../text/span.js'
import type { AnswerShower } from './answer-shower.js'
import type { CallShower } from './call-shower.js'
import type { ReceiptShower } from './receipt-shower.js'
import { taskName } from './task-name.js'

/** What events are shown with. */
export interface Showers {
  readonly store: ScreenStore
  readonly answers: AnswerShower
  readonly calls: CallShower
  readonly receipts: ReceiptShower
  width(): number
}

/** Shows what a session tells. */
export function showEvent(event: SessionEvent, showers: Showers): void {
  const show = SHOWN[event.type] as ((event: SessionEvent, showers: Showers) => void) | undefined
  show?.(event, showers)
}

type Shown = {
  readonly [Type in SessionEvent['type']]?: (
    event: Extract<SessionEvent, { readonly type: Type }>,
    showers: Showers,
  ) => void
}

const WORKING = 'Working'
const NOTICES = { info: 'dim', warning: 'yellow', error: 'red' } as const

const SHOWN: Shown = {
  'turn-start'(_event, showers) {
    showers.calls.settle()
    label(showers, WORKING)
  },
  delta({ index, block }, showers) {
    if (block.type === 'text') showers.answers.add(index, String(block.text ?? ''))
    else if (block.type === 'thinking') label(showers, 'Thinking')
  },
  response({ entry }, { answers, calls }) {
    answers.finish(entry.content)
    calls.expect(entry.content)
  },
  'tool-start': ({ call }, { calls }) => calls.start(call),
  'tool-progress': ({ call, text }, { calls }) => calls.progress(call, text),
  'tool-end': ({ call, result }, { calls }) => calls.end(call, result),
  recovery({ kind, attempt, reason }, showers) {
    showers.answers.forget()
    label(showers, kind === 'retry' ? `Trying again (${attempt}): ${reason}` : reason)
  },
  receipt: ({ receipt }, { receipts }) => receipts.show(receipt),
  'fork-progress'({ source, characters }, showers) {
    const { tasks } = showers.store.state().live
    const name = taskName(source)
    if (source === 'compact') label(showers, compacting(characters))
    else if (!tasks.includes(name)) showers.store.live({ tasks: [...tasks, name] })
  },
  'fork-end'({ source }, showers) {
    const { tasks } = showers.store.state().live
    if (source === 'compact') label(showers, WORKING)
    else showers.store.live({ tasks: tasks.filter((task) => task !== taskName(source)) })
  },
  notice({ notice }, showers) {
    if (!showers.receipts.isTold(notice.text)) say(showers, notice.text, NOTICES[notice.level])
  },
  end(_event, { answers, calls }) {
    answers.forget()
    calls.settle()
  },
}

/** How long a summary becomes nobody knows; that it grows can be seen. */
function compacting(characters: number): string {
  return characters === 0 ? 'Compacting' : `Compacting, ${characters.toLocaleString('en')} characters written`
}

function say({ store, width }: Showers, text: string, style: Style): void {
  store.print(plainLines(text, width(), style))
}

/** The clock of the work goes on, whatever it is about now. */
function label({ store }: Showers, text: string): void {
  const { work } = store.state().live
  if (work && work.label !== text) store.live({ work: { ...work, label: text } })
}
