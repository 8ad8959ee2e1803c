import type { Block, CompactPlan, Draft, Offer, Relief, Round, Span, View } from '@nacre/core'
import type { LayerContext } from '../layer/layer.js'
import { isComplete, isPrompt, lastPromptRound, spanOf } from '../view/rounds.js'
import { type Snip, snipDraft } from './snip-draft.js'

/** Below it a cut is not worth the look, in tokens of a full window. */
const LEAST = 500

/** Offers to leave dead ends out, the largest first. Whether that pays is for core to say. */
export function deadEndRelief(layer: LayerContext): Relief {
  /** What was drafted once and is still there was refused: not again. */
  const tried = new Set<string>()
  return {
    name: 'snip-dead-ends',
    rung: 'clear',
    offer(view, { scale }): Offer | undefined {
      if (!layer.flag('snip')) return undefined
      const [best] = deadEnds(view)
        .flatMap((end) => snipsOf(layer, view, end))
        .filter(({ span, frees }) => frees >= LEAST * scale && !tried.has(span.from))
        .sort((a, b) => b.frees - a.frees)
      if (!best) return undefined
      const { span, frees } = best
      const draft = (plan: CompactPlan): Draft => {
        tried.add(span.from)
        if (holdsNotes(plan, span, view)) throw new Error('Notes stand among the failed calls, so they stay.')
        return best.draft
      }
      return { span, frees, dollars: 0, draft }
    },
  }
}

/** What takes a dead end out; nothing where that frees nothing. */
function snipsOf({ recall }: LayerContext, view: View, { rounds, tools }: DeadEnd): (Snip & { readonly span: Span })[] {
  const span = spanOf(rounds)
  const why = `the same call of ${tools.join(', ')} failed with the same error each time, and succeeded later`
  const snip = span && snipDraft(view, { rounds, span }, { why, recall: recall() })
  return !snip || 'problem' in snip ? [] : [{ ...snip, span }]
}

/** What a plugin or the runtime said among them would go with them. */
function holdsNotes({ messages }: CompactPlan, span: Span, view: View): boolean {
  const ids = new Set(view.roundsIn(span).flatMap(({ entries }) => entries.map(({ id }) => id)))
  const blocks = messages().flatMap(({ blocks: shown }) => shown)
  const isOfSpan = ({ ref }: (typeof blocks)[number]) => ref !== undefined && ids.has(ref.entry)
  const inside = blocks.slice(blocks.findIndex(isOfSpan), blocks.findLastIndex(isOfSpan) + 1)
  return inside.some(({ ref }) => ref === undefined)
}

/** Neighbouring rounds in which the same call failed in the same way, until it succeeded later on. */
interface DeadEnd {
  readonly rounds: readonly Round[]
  /** The tools that failed there. */
  readonly tools: readonly string[]
}

interface Call {
  readonly round: number
  readonly name: string
  /** The same for calls with the same input. */
  readonly key: string
  /** What it said where it failed. */
  readonly error: string | undefined
}

/** Words beside a call above this number of characters may hold more than the attempt. */
const FEW_WORDS = 500

/**
 * Dead ends of turns that are over: a call failed at least twice with the same input and the same error, and later in
 * that turn the same call succeeded. Only rounds that hold nothing else; never a prompt, never the turn that is open.
 */
function deadEnds({ rounds }: View): readonly DeadEnd[] {
  const turns = turnsOf(rounds.slice(0, Math.max(0, lastPromptRound(rounds))))
  return turns.flatMap((turn) => {
    const calls = turn.flatMap((round, index) => callsOf(round, index))
    const failed = failedBeforeSuccess(calls)
    const isDead = turn.map((round, index) =>
      isNothingElse(
        round,
        calls.filter((call) => call.round === index),
        failed,
      ),
    )
    return runsOf(isDead).map(([first, last]) => ({
      rounds: turn.slice(first, last + 1),
      tools: [...new Set(calls.filter(({ round }) => round >= first && round <= last).map(({ name }) => name))],
    }))
  })
}

/** A turn begins with a prompt; what stands for a span ends it. */
function turnsOf(rounds: readonly Round[]): Round[][] {
  const turns: Round[][] = []
  for (const round of rounds) {
    const current = turns.at(-1)
    const begins = round.content !== undefined || round.entries.some(isPrompt)
    if (begins || !current) turns.push([round])
    else current.push(round)
  }
  return turns
}

function callsOf({ entries }: Round, round: number): Call[] {
  const blocks = entries.flatMap(({ content }) => content)
  const results = new Map(blocks.map((block) => [block.tool_use_id, block]))
  return blocks.flatMap((block) => {
    if (block.type !== 'tool_use') return []
    const result = results.get(block.id)
    const error = result?.is_error === true ? JSON.stringify(result.content) : undefined
    return [{ round, name: String(block.name), key: JSON.stringify([block.name, block.input]), error }]
  })
}

function failedBeforeSuccess(calls: readonly Call[]): ReadonlySet<Call> {
  return new Set(
    calls.filter(({ key, error, round }) => {
      if (error === undefined) return false
      const same = calls.filter((other) => other.key === key)
      const isRepeated = same.filter((other) => other.error === error).length > 1
      return isRepeated && same.some((other) => other.error === undefined && other.round > round)
    }),
  )
}

function isNothingElse(round: Round, calls: readonly Call[], failed: ReadonlySet<Call>): boolean {
  if (round.content || calls.length === 0 || !calls.every((call) => failed.has(call)) || !isComplete(round))
    return false
  const said = round.entries.filter(({ kind }) => kind === 'user').flatMap(({ content }) => content)
  if (said.some(({ type }) => type !== 'tool_result')) return false
  return wordsBeside(round) <= FEW_WORDS
}

function wordsBeside({ entries }: Round): number {
  const texts = entries.flatMap(({ content }) => content.filter(({ type }: Block) => type === 'text'))
  return texts.reduce((sum, { text }) => sum + String(text).length, 0)
}

function runsOf(flags: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = []
  flags.forEach((flag, index) => {
    const last = runs.at(-1)
    if (flag && last?.[1] === index - 1) last[1] = index
    else if (flag) runs.push([index, index])
  })
  return runs
}
