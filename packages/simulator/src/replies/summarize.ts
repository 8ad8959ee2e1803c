import type { Block } from '../wire.js'
import type { ModelTurn } from './model.js'

const LONGEST_LINE = 200
const LAST_ANSWERS = 3

/** A summary without a language model: what the person said, the calls that were made, the last answers. */
export function summarize(turn: ModelTurn): string {
  const said: string[] = []
  const called: string[] = []
  const answered: string[] = []
  for (const { role, content } of turn.messages) {
    for (const block of content) {
      if (block.type === 'compaction') said.push(String(block.content))
      else if (block.type === 'tool_use') called.push(`${block.name} ${brief(JSON.stringify(block.input))}`)
      else if (block.type === 'text') (role === 'assistant' ? answered : said).push(brief(textOf(block)))
    }
  }
  return [
    section('The person said', said),
    section('Tools were called', called),
    section('The last answers were', answered.slice(-LAST_ANSWERS)),
  ].join('\n\n')
}

function section(title: string, lines: readonly string[]): string {
  return `${title}:\n${lines.length ? lines.map((line) => `- ${line}`).join('\n') : '- nothing'}`
}

function textOf(block: Block): string {
  return block.text as string
}

function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line
}
