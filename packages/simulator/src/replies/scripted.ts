import { readFileSync } from 'node:fs'
import type { Block, Role } from '../wire/messages.js'
import type { ModelTurn, Reply, ReplyBlock, SimulatedModel } from './model.js'
import { asksForSummary, summarize } from './summarize.js'

type Step = Reply | ReplyBlock | readonly ReplyBlock[] | SimulatedModel

/**
 * Answers from a list, one item for each new prompt, or by a function. A request that is sent again, after a cut
 * stream say, gets the same item again. Summaries are written by rules and take no item of the list.
 */
export function scripted(script: SimulatedModel | readonly Step[]): SimulatedModel {
  if (typeof script === 'function') return script
  let last: { key: string; index: number } | undefined
  return (turn: ModelTurn) => {
    if (asksForSummary(turn)) return summarize(turn)
    const index = last ? (last.key === turn.key ? last.index : last.index + 1) : 0
    const step = script[index]
    if (step === undefined) throw new Error(`The script has ${script.length} replies; request ${index + 1} found none.`)
    last = { key: turn.key, index }
    return typeof step === 'function' ? step(turn) : step
  }
}

export interface RecordedMessage {
  readonly role: Role
  readonly content: string | readonly Block[]
}

/**
 * Answers as a recorded session did: to the results of a call with what followed them, to a prompt with what
 * followed it. Takes messages, or a file of JSON lines, each a message or a record with one in `message`.
 */
export function recorded(transcript: string | readonly RecordedMessage[]): SimulatedModel {
  const messages = joinRecords(typeof transcript === 'string' ? readTranscript(transcript) : transcript)
  const answers = indexAnswers(messages)
  let last: { key: string; index: number } | undefined
  return (turn) => {
    if (asksForSummary(turn)) return summarize(turn)
    const found = answers.get(questionKey(turn.messages.findLast((message) => message.role === 'user')?.content ?? []))
    const index =
      last?.key === turn.key ? last.index : (found?.find((each) => each > (last?.index ?? -1)) ?? found?.[0])
    const answer = index === undefined ? undefined : messages[index]
    if (index === undefined || !answer) return ended(turn)
    last = { key: turn.key, index }
    return toAnswer(answer)
  }
}

function ended(turn: ModelTurn): string {
  return `The recording has no answer to this. (${turn.messages.length} messages)`
}

/** Reads what a session of another program left behind; lines that hold no message are passed over. */
function readTranscript(path: string): RecordedMessage[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line, number) => {
      const record = parse(line, path, number + 1) as Partial<RecordedMessage> & {
        message?: RecordedMessage
        isSidechain?: boolean
      }
      const message = record.message ?? record
      return message.role && message.content && !record.isSidechain ? [message as RecordedMessage] : []
    })
}

function parse(line: string, path: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new Error(`${path}, line ${number}: not valid JSON (${(error as Error).message})`)
  }
}

/** Programs split a turn over several records; here it is one again. Thinking can't be replayed: its signature is foreign. */
function joinRecords(records: readonly RecordedMessage[]): { role: Role; content: Block[] }[] {
  const joined: { role: Role; content: Block[] }[] = []
  for (const { role, content } of records) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const kept = blocks.filter((block) => !block.type.endsWith('thinking'))
    const before = joined.at(-1)
    if (before?.role === role) before.content.push(...kept)
    else joined.push({ role, content: [...kept] })
  }
  return joined
}

/** Where each question is answered. The same words may have been said more than once. */
function indexAnswers(messages: readonly { role: Role; content: readonly Block[] }[]): Map<string, number[]> {
  const answers = new Map<string, number[]>()
  messages.forEach((message, index) => {
    const before = messages[index - 1]
    if (message.role !== 'assistant' || !before) return
    const key = questionKey(before.content)
    answers.set(key, [...(answers.get(key) ?? []), index])
  })
  return answers
}

/** Results are told apart by their calls, prompts by their words. */
function questionKey(content: readonly Block[]): string {
  const results = content.filter((block) => block.type === 'tool_result').map((block) => String(block.tool_use_id))
  if (results.length) return results.sort().join()
  return content.map((block) => (block.type === 'text' ? String(block.text) : block.type)).join('\n')
}

function toAnswer({ content }: { content: readonly Block[] }): Reply {
  return { content: content.map(({ cache_control: _, ...block }) => block as Block) }
}
