import type { Session, Tool } from '@nacre/core'
import { asksForSummary, type ModelTurn, type Reply, summarize } from '@nacre/simulator'
import { compact } from '../../src/index.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { type Fact, holds } from './fact.js'
import { factsPlan, type Part } from './facts-plan.js'

export interface FactsReport {
  readonly compactions: number
  /** Facts that the next request shows, and those that it would show without the index of exact names. */
  readonly inView: readonly Fact[]
  readonly withoutAnchors: readonly Fact[]
  /** Facts that one call of Recall did not bring back. */
  readonly notRecalled: readonly Fact[]
  readonly refused: number
}

export interface FactsOptions {
  readonly window: number
  readonly seed: number
  /** Whether each fact is looked up in the end. */
  readonly recalls: boolean
}

type Answer = Reply['content']

/** Works on a plan in three phases, each folded at its end, and looks for the facts in what is left. */
export async function runFacts(facts: readonly Fact[], { window, seed, recalls }: FactsOptions): Promise<FactsReport> {
  const phases = factsPlan(facts, seed, window / 150)
  const queue: Answer[] = []
  const results: string[] = []
  const answer = (turn: ModelTurn) =>
    asksForSummary(turn) ? summarize(turn) : { content: queue.shift() ?? ['Nothing is left to do.'] }
  const { start, requests } = await setUp(answer, { window })
  const tools = ['Read', 'Bash'].map((name) => tool(name, () => results.shift() ?? ''))
  const session = await start({ plugins: [compact()], tools })
  let compactions = 0
  for (const parts of phases) {
    for (const part of parts) await work(session, queue, results, part)
    const outcome = await session.compact()
    if ('refused' in outcome) throw new Error(`No fold: ${outcome.refused}`)
    compactions += 1
  }
  const shown = viewTexts(session)
  const bare = shown.filter((text) => !text.startsWith(ANCHORS))
  return {
    compactions,
    inView: facts.filter((fact) => shown.some((text) => holds(text, fact))),
    withoutAnchors: facts.filter((fact) => bare.some((text) => holds(text, fact))),
    notRecalled: recalls ? await recallAll(session, queue, facts) : [],
    refused: requests.filter(({ status }) => status >= 400).length,
  }
}

/** How the section with the exact names begins. */
const ANCHORS = 'Exact names'

async function work(session: Session, queue: Answer[], results: string[], part: Part): Promise<void> {
  for (const { says, tool: name, input, result } of part.steps) {
    queue.push([says, { type: 'tool_use', name, input }])
    results.push(result)
  }
  queue.push([part.answer])
  const end = (await eventsOf(session.query(part.prompt))).at(-1)
  if (end?.type !== 'end' || end.reason !== 'done') throw new Error(`The work ended with ${JSON.stringify(end)}`)
}

/** The texts that the next request would show. */
function viewTexts(session: Session): string[] {
  const view = session.view()
  return view.rounds.flatMap(({ entries, content = [] }) => {
    const blocks = entries.flatMap(({ id, content: own }) =>
      own.flatMap((_, block) => view.shown({ entry: id, block })),
    )
    return [...content, ...blocks].map((block) => (block.type === 'text' ? String(block.text) : JSON.stringify(block)))
  })
}

const BATCH = 10

/** Has the model call Recall once for each fact, by its exact text. */
async function recallAll(session: Session, queue: Answer[], facts: readonly Fact[]): Promise<Fact[]> {
  const missing: Fact[] = []
  for (let at = 0; at < facts.length; at += BATCH) {
    const wanted = facts.slice(at, at + BATCH)
    queue.push(
      wanted.map(({ text }) => ({ type: 'tool_use', name: 'Recall', input: { anchor: text } })),
      ['Found.'],
    )
    const found = (await eventsOf(session.query('Look these up.'))).flatMap((event) =>
      event.type === 'tool-end' ? [{ asked: event.call.input, blocks: event.result.content }] : [],
    )
    for (const fact of wanted) {
      const result = found.find(({ asked }) => (asked as { anchor?: string }).anchor === fact.text)
      // The first line may repeat what was asked for; what is found stands below it.
      const hits = String(result?.blocks[0]?.text).split('\n').slice(1).join('\n')
      if (!holds(hits, fact)) missing.push(fact)
    }
  }
  return missing
}

function tool(name: string, result: () => string): Tool {
  return {
    name,
    description: `${name} something.`,
    schema: { json: { type: 'object' }, parse: (input) => input },
    isCompactable: true,
    isReadOnly: () => true,
    isConcurrencySafe: () => false,
    run: () => ({ content: [{ type: 'text', text: result() }] }),
  }
}
