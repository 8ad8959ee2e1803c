import type { Block, Round, View } from '@nacre/core'
import { isComplete } from '../fold-span.js'
import { isPrompt } from './is-prompt.js'
import { lastPromptRound } from './last-prompt-round.js'

/** Neighbouring rounds in which the same call failed in the same way, until it succeeded later on. */
export interface DeadEnd {
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
export function deadEnds({ rounds }: View): readonly DeadEnd[] {
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
