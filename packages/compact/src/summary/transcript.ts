import type { Block, Round, ShownMessage, Span, View } from '@nacre/core'
import { blockWords } from './block-words.js'
import { spanRounds } from './span-rounds.js'

/** A round as text. */
export interface RoundText {
  readonly span: Span
  /** It stands for rounds that were folded before. */
  readonly isFold: boolean
  readonly said: readonly SaidText[]
}

interface SaidText {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** Notes that restorers gave come back with the next fold anyway. */
const RESTORED = /^<restored /

/** What the model sees of a span, written out as text: calls and results too, since there are no tools to go with it. */
export function transcript(view: View, span: Span, messages: readonly ShownMessage[]): RoundText[] {
  const rounds = spanRounds(view, span)
  const place = placesOf(view)
  const name = namesOf(messages)
  const said = new Map<Round, SaidText[]>()
  let current: Round | undefined
  for (const { role, blocks } of messages) {
    for (const { block, ref } of blocks) {
      const found = ref ? place.get(ref.entry) : place.get(block)
      current = found ?? current
      const text = !ref && !found && RESTORED.test(String(block.text)) ? '' : blockWords(block, name)
      if (!current || text.trim() === '') continue
      const texts = said.get(current) ?? []
      said.set(current, [...texts, { role: role === 'assistant' && block.type !== 'compaction' ? role : 'user', text }])
    }
  }
  return rounds.flatMap((round) => {
    const texts = said.get(round)
    return texts ? [{ span: round.span, isFold: round.content !== undefined, said: texts }] : []
  })
}

/** The round of each entry, and of each block that stands for a span. */
function placesOf({ rounds }: View): Map<string | Block, Round> {
  const places = new Map<string | Block, Round>()
  for (const round of rounds) {
    for (const { id } of round.entries) places.set(id, round)
    for (const block of round.content ?? []) places.set(block, round)
  }
  return places
}

function namesOf(messages: readonly ShownMessage[]): (call: string) => string {
  const names = new Map<string, string>()
  for (const { blocks } of messages) {
    for (const { block } of blocks) if (block.type === 'tool_use') names.set(String(block.id), String(block.name))
  }
  return (call) => names.get(call) ?? 'a call'
}
