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

/** What is to be appended when a skill is loaded. The text is in it: a fork has no blobs, and the file may change. */
export function invokedEntries(view: Viewed, { name, body, folder }: Skill, call: Id): StateEntry[] {
  const hash = hashOf(body, 16)
  const others = readInvoked(view).filter((each) => each.name !== name)
  const invoked = [...others, { name, hash, call, folder }].slice(-REMEMBERED)
  const isKnown = view.state(OWNER, textKey(hash)) !== undefined
  const text = firstTokens(body.replaceAll('$ARGUMENTS', '(arguments)'), SKILL_TOKENS)
  const added = stateEntry(OWNER, 'invoked', invoked as unknown as Json)
  return isKnown ? [added] : [stateEntry(OWNER, textKey(hash), text), added]
}

/** Where the text of a skill stands as it was loaded, without arguments. */
function textKey(hash: string): string {
  return `text/${hash}`
}

const ALL_TOKENS = 25_000

/** Brings back what was loaded, the newest first, as it was loaded. Never as something to be done: that call is over. */
export const skillRestorer: Restorer = {
  name: OWNER,
  restore(event) {
    const kept = callsKept(event)
    const { scale, factor } = event.view.tokens
    // Figures are real tokens, and texts can only be estimated.
    let left = Math.min(ALL_TOKENS * scale, event.budget) / factor
    const one = Math.min((SKILL_TOKENS * scale) / factor, left / 2)
    return readInvoked(event.view)
      .toReversed()
      .flatMap((invoked) => {
        const restored = kept.has(invoked.call) ? undefined : quoted(event.view, invoked, one)
        const tokens = restored ? estimateText(restored.text) : 0
        if (!restored || tokens > left) return []
        left -= tokens
        return [restored]
      })
  },
}

const FRAME_TOKENS = 120

function quoted(view: Viewed, { name, folder, hash }: Invoked, tokens: number): Restored | undefined {
  const text = view.state(OWNER, textKey(hash)) as string | undefined
  if (text === undefined) return undefined
  const quote = firstTokens(text, Math.max(0, tokens - FRAME_TOKENS)).replaceAll('</skill-text', '<\\/skill-text')
  const frame = [
    `The skill ${name} was loaded earlier in this session, and that call is over.`,
    `This is a quotation of its text as it was then, without the arguments of the call. Its folder: ${folder}`,
  ]
  const quotation = ['<skill-text>', quote, '</skill-text>']
  return { what: `skill ${name}`, text: [...frame, ...quotation].join('\n'), status: 'reference' }
}

/** The calls whose results stay in view, since they are not in the part that is folded. */
function callsKept(event: RestoreEvent): ReadonlySet<string> {
  const blocks = keptRounds(event).flatMap(({ entries }) => entries.flatMap(({ content }) => content))
  return new Set(blocks.flatMap(({ type, tool_use_id }) => (type === 'tool_result' ? [String(tool_use_id)] : [])))
}

/** A text up to so many tokens, cut at the end of a line, with a last line that says what is missing. */
function firstTokens(text: string, tokens: number): string {
  if (estimateText(text) <= tokens) return text
  const lines = text.split('\n')
  let [fits, tooMany] = [0, lines.length]
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    if (estimateText(firstLines(lines, middle)) <= tokens) fits = middle
    else tooMany = middle
  }
  return firstLines(lines, fits)
}

function firstLines(lines: readonly string[], count: number): string {
  return [...lines.slice(0, count), `(${lines.length - count} more lines were left out)`].join('\n')
}
