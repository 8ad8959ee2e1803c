import { digest } from '../measure/digest.js'
import type { Block, Message } from '../wire/messages.js'
import { asksForDream, dream } from './dream.js'
import { asksForNotes, editNotes } from './edit-notes.js'
import { asksForMemories, extractMemories } from './extract-memories.js'
import { type ModelTurn, type Reply, type ReplyBlock, type SimulatedModel, toReply } from './model.js'
import { asksForSummary, summarize } from './summarize.js'

/** A job that the offline model knows how to do. The first that recognises a turn does it. */
export interface OfflineJob {
  readonly name: string
  recognises(turn: ModelTurn): boolean
  readonly answer: SimulatedModel
}

export interface OfflineOptions {
  readonly jobs?: readonly OfflineJob[]
  readonly scenarios?: readonly Scenario[]
}

/** Deterministic, and no language model: it does the jobs it knows from the prompt it is given, and says so. */
export function offline({ jobs = [], scenarios = [] }: OfflineOptions = {}): SimulatedModel {
  const play = playScenarios(scenarios)
  return (turn) => {
    const job = jobs.find((each) => each.recognises(turn))
    if (job) return job.answer(turn)
    if (asksForSummary(turn)) return summarize(turn)
    if (asksForNotes(turn)) return editNotes(turn)
    if (asksForMemories(turn)) return extractMemories(turn)
    if (asksForDream(turn)) return dream(turn)
    return play(turn) ?? introduce(turn)
  }
}

function introduce(turn: ModelTurn): string {
  const asked = lastWords(turn)
  return `I am the offline model: no language model stands behind this answer, only rules. I know no job that fits ${
    asked ? `"${asked}"` : 'this request'
  }.`
}

function lastWords(turn: ModelTurn): string {
  const blocks: readonly Block[] = turn.messages.findLast((message) => message.role === 'user')?.content ?? []
  const text = blocks.map((block) => (block.type === 'text' ? String(block.text) : '')).join(' ')
  return text.trim().slice(0, 80)
}

/** What a step may look at. */
export interface StepContext {
  readonly prompt: string
  /** The texts of the results of the step before, in the order of its calls. */
  readonly results: readonly string[]
  readonly turn: ModelTurn
}

type StepReply = Reply | ReplyBlock | readonly ReplyBlock[]
export type ScenarioStep = StepReply | ((context: StepContext) => StepReply)

/** A piece of work in steps: all but the last call tools, and the next step comes with their results. */
export interface Scenario {
  readonly name: string
  readonly prompt: RegExp
  readonly steps: readonly ScenarioStep[]
}

interface Place {
  readonly scenario: Scenario
  readonly run: string
  readonly step: number
  readonly prompt: string
}

/**
 * Plays scenarios. Where it stands is read off the ids of the calls it made, so that a request sent again gets the
 * same step, and a session that was resumed in another process goes on where it was.
 */
function playScenarios(scenarios: readonly Scenario[]): (turn: ModelTurn) => Reply | undefined {
  const reached = new Map<string, Place>()
  return (turn) => {
    const asked = lastUserMessage(turn)
    const place = afterResults(asked, scenarios) ?? atPrompt(asked, turn, scenarios) ?? reached.get(turn.source)
    if (!place) return undefined
    const step = place.scenario.steps[place.step]
    if (step === undefined) return { content: [`The scenario '${place.scenario.name}' is over.`] }
    const context = { prompt: place.prompt, results: resultTexts(asked), turn }
    const reply = toReply(typeof step === 'function' ? step(context) : step)
    const marked = reply.content.map((block, index) => withId(block, place, index))
    if (marked.some(isCall)) reached.set(turn.source, { ...place, step: place.step + 1 })
    else reached.delete(turn.source)
    return { ...reply, content: marked }
  }
}

function lastUserMessage({ messages }: ModelTurn): Message | undefined {
  return messages.findLast((message) => message.role === 'user')
}

const ID = /^toolu_(\w+)x(\d+)x(\w+)x\d+$/

function withId(block: ReplyBlock, { scenario, run, step }: Place, index: number): ReplyBlock {
  return isCall(block) ? { ...(block as Block), id: `toolu_${code(scenario.name)}x${step}x${run}x${index}` } : block
}

function isCall(block: ReplyBlock): boolean {
  return typeof block === 'object' && block.type === 'tool_use'
}

/** Letters and digits without the `x` that parts an id. */
function code(text: string): string {
  return digest(text)
    .replace(/[^a-wyzA-WYZ0-9]/g, '')
    .slice(0, 8)
}

function afterResults(asked: Message | undefined, scenarios: readonly Scenario[]): Place | undefined {
  const result = asked?.content.find((block) => block.type === 'tool_result')
  const [, name, step, run] = ID.exec(String(result?.tool_use_id)) ?? []
  const scenario = scenarios.find((each) => code(each.name) === name)
  return scenario && run ? { scenario, run, step: Number(step) + 1, prompt: '' } : undefined
}

function atPrompt(asked: Message | undefined, turn: ModelTurn, scenarios: readonly Scenario[]): Place | undefined {
  if (!asked || asked.content.some((block) => block.type === 'tool_result')) return undefined
  const prompt = asked.content.map((block) => (block.type === 'text' ? String(block.text) : '')).join('\n')
  const scenario = scenarios.find((each) => each.prompt.test(prompt))
  return scenario ? { scenario, run: code(turn.key), step: 0, prompt } : undefined
}

function resultTexts(asked: Message | undefined): readonly string[] {
  const results = asked?.content.filter((block) => block.type === 'tool_result') ?? []
  return results.map(({ content }) =>
    typeof content === 'string'
      ? content
      : ((content ?? []) as Block[]).map((block) => (block.type === 'text' ? String(block.text) : '')).join('\n'),
  )
}
