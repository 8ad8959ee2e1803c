import type { HookContext, HookKind } from '../../contract/hooks.js'
import type { NacreError } from '../../nacre-error.js'
import { gateVerdicts } from './hook-kinds.js'
import type { CommandAnswer } from './read-answer.js'
import { transformedValue } from './transformed-value.js'

type Said = CommandAnswer & { readonly error?: NacreError }

export interface CommandRound {
  readonly hook: string
  readonly kind: HookKind
  readonly event: object
  readonly context: HookContext
  /** One for each command that is asked. Rejects only after an abort. */
  readonly ask: readonly ((event: object) => Promise<Said>)[]
  warn(text: string, index: number): void
}

/** Asks all commands of a hook and makes one answer of theirs. Only a gate throws: what fails elsewhere is a warning. */
export function answerEvent(round: CommandRound): Promise<unknown> {
  if (round.kind === 'transform') return transform(round)
  return round.kind === 'decide' ? decide(round) : collect(round)
}

async function collect(round: CommandRound): Promise<unknown> {
  const all = await askAll(round)
  for (const [index, { error }] of all.entries()) if (error) round.warn(error.message, index)
  const merged: Record<string, unknown> = {}
  for (const { answer = {} } of all) {
    for (const [field, value] of Object.entries(answer)) {
      const before = merged[field]
      merged[field] = typeof before === 'string' && typeof value === 'string' ? `${before}\n\n${value}` : value
    }
  }
  return Object.keys(merged).length > 0 ? merged : undefined
}

/** One after the other: each gets what the one before it made. */
async function transform(round: CommandRound): Promise<unknown> {
  const { event, ask, warn } = round
  const given = (event as { readonly value: unknown }).value
  let value = given
  for (const [index, one] of ask.entries()) {
    const said = await one({ ...event, value })
    takeNote(round, said, index)
    if (said.error) warn(said.error.message, index)
    if (!said.answer) continue
    try {
      value = transformedValue(value, said.answer.value)
    } catch (error) {
      warn((error as Error).message, index)
    }
  }
  return value === given ? undefined : value
}

/** A command that failed closes the gate, unless another has already closed it with a reason. */
async function decide(round: CommandRound): Promise<unknown> {
  const all = await askAll(round)
  const verdicts = gateVerdicts[round.hook] ?? ['deny', 'ask', 'allow']
  const ranked = all
    .flatMap(({ answer }) => (answer ? [answer] : []))
    .sort((a, b) => verdicts.indexOf(a.verdict as string) - verdicts.indexOf(b.verdict as string))
  const strictest = ranked[0]
  const isClosed = strictest?.verdict === verdicts[0]
  for (const [index, { error }] of all.entries()) {
    if (error && !isClosed) throw error
    if (error) round.warn(error.message, index)
  }
  return strictest
}

async function askAll(round: CommandRound): Promise<readonly Said[]> {
  const all = await Promise.all(round.ask.map((one) => one(round.event)))
  for (const [index, said] of all.entries()) takeNote(round, said, index)
  return all
}

function takeNote({ context, warn }: CommandRound, { note, warning }: Said, index: number): void {
  if (note !== undefined) context.note({ text: note, trust: 'content' })
  if (warning !== undefined) warn(warning, index)
}
