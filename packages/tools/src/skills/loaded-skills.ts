import {
  estimateText,
  type Id,
  type Json,
  type Restored,
  type RestoreEvent,
  type Restorer,
  type StateEntry,
  type View,
} from '@nacre/core'
import { keptRounds, stateEntry } from '../conversation.js'
import { hashOf } from '../hash.js'
import { headOf } from '../text.js'
import type { Skill } from './find-skills.js'

export const OWNER = 'skills'

/** The most that comes back of one skill. */
const SKILL_TOKENS = 5_000

/** How many are remembered: far more than can come back. */
const REMEMBERED = 30

/** A skill that was loaded: which, in what form, by which call. */
interface Invoked {
  readonly name: string
  readonly hash: string
  readonly call: Id
  readonly folder: string
}

type Viewed = Pick<View, 'state'>

/** What was loaded, the newest last. */
function readInvoked(view: Viewed): readonly Invoked[] {
  return (view.state(OWNER, 'invoked') as readonly Invoked[] | undefined) ?? []
}

/** The text of a skill as it was loaded: its first lines, and how many there are. */
interface KeptText {
  readonly text: string
  readonly lines: number
}

/** What is to be appended when a skill is loaded. The text is in it: a fork has no blobs, and the file may change. */
export function invokedEntries(view: Viewed, { name, body, folder }: Skill, call: Id): StateEntry[] {
  const hash = hashOf(body, 16)
  const others = readInvoked(view).filter((each) => each.name !== name)
  const invoked = [...others, { name, hash, call, folder }].slice(-REMEMBERED)
  const isKnown = view.state(OWNER, textKey(hash)) !== undefined
  const lines = body.replaceAll('$ARGUMENTS', '(arguments)').split('\n')
  const text = headOf(lines, SKILL_TOKENS, { rest: '' }).lines.join('\n')
  const added = stateEntry(OWNER, 'invoked', invoked as unknown as Json)
  return isKnown ? [added] : [stateEntry(OWNER, textKey(hash), { text, lines: lines.length }), added]
}

/** Where the text of a skill stands as it was loaded, without arguments. */
function textKey(hash: string): string {
  return `text/${hash}`
}

const MISSING = /(?:^|\n)\((\d+) more lines were left out\)$/

/** In logs of versions before 0.1 it is a text, and what was cut of it stands in its last line. */
function keptText(view: Viewed, hash: string): KeptText | undefined {
  const kept = view.state(OWNER, textKey(hash)) as KeptText | string | undefined
  if (typeof kept !== 'string') return kept
  const text = kept.replace(MISSING, '')
  return { text, lines: text.split('\n').length + Number(MISSING.exec(kept)?.[1] ?? 0) }
}

const ALL_TOKENS = 25_000
/** Less of a skill is not worth its frame. */
const LEAST_TOKENS = 500
/** The estimated tokens of what core writes around an item. */
const FRAME_TOKENS = 60

/** Brings back what was loaded, the newest first, as it was loaded. Never as something to be done: that call is over. */
export const skillRestorer: Restorer = {
  name: OWNER,
  budget: ALL_TOKENS,
  restore(event) {
    const kept = callsKept(event)
    const { scale, factor } = event.view.tokens
    // Figures are real tokens, and texts can only be estimated.
    const most = Math.min(SKILL_TOKENS * scale, event.budget / 2) / factor - FRAME_TOKENS
    return readInvoked(event.view)
      .toReversed()
      .flatMap((invoked): Restored[] => {
        const text = kept.has(invoked.call) ? undefined : keptText(event.view, invoked.hash)
        if (!text) return []
        const shorten = (tokens: number) => (tokens < LEAST_TOKENS * scale ? undefined : quoted(invoked, text, tokens))
        return [{ what: `skill ${invoked.name}`, status: 'reference', ...quoted(invoked, text, most), shorten }]
      })
  },
}

function quoted({ name, folder }: Invoked, kept: KeptText, tokens: number): Pick<Restored, 'text' | 'cut'> {
  const frame = [
    `The skill ${name} was loaded earlier in this session, and that call is over.`,
    `This is a quotation of its text as it was then, without the arguments of the call. Its folder: ${folder}`,
    '<skill-text>',
  ]
  const end = '</skill-text>'
  const room = tokens - estimateText([...frame, end, ''].join('\n'))
  const rest = `The tool Skill loads all of it, by the name ${name}.`
  const { lines, marker, cut } = headOf(kept.text.split('\n'), room, { rest, total: kept.lines })
  const quote = lines.map((line) => line.replaceAll('</skill-text', '<\\/skill-text'))
  const text = [...frame, ...quote, end, ...(marker === '' ? [] : [marker])].join('\n')
  return { text, ...(cut !== undefined && { cut }) }
}

/** The calls whose results stay in view, since they are not in the part that is folded. */
function callsKept(event: RestoreEvent): ReadonlySet<string> {
  const blocks = keptRounds(event).flatMap(({ entries }) => entries.flatMap(({ content }) => content))
  return new Set(blocks.flatMap(({ type, tool_use_id }) => (type === 'tool_result' ? [String(tool_use_id)] : [])))
}
