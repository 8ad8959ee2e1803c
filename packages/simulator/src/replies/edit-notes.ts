import type { Block, Message } from '../wire/messages.js'
import type { ModelTurn, ReplyBlock } from './model.js'

const TOOL = 'UpdateNotes'
/** Where a section has more, all but its last lines are taken out. */
const MOST = 1_600
const LINE = 160
const PATH = /(?:[\w.@-]+\/)+[\w.@-]+/g

/** Whether a turn asks for notes of the session to be brought up to date. */
export function asksForNotes({ source, tools }: ModelTurn): boolean {
  return source === 'session_memory' && tools.some(({ name }) => name === TOOL)
}

/** Notes without a language model: from what was said and done, one section at a time, added to what they hold already. */
export function editNotes(turn: ModelTurn): ReplyBlock {
  const asked = textsOf(turn.messages.at(-1)).at(-1) ?? ''
  const sections = sectionsOf(turn)
  const isFirst = sections.every((section) => linesIn(asked, section).length === 0)
  // What stands at the start later on may be what the notes themselves have said.
  const found = factsOf(turn.messages.slice(isFirst ? 0 : 1, -1))
  const edits = sections.flatMap((section) => {
    const [topic, lines] = found.find(([each]) => each.test(section)) ?? []
    const known = linesIn(asked, section)
    const added = [...new Set(lines)].filter((line) => line !== '' && !known.includes(line))
    if (added.length === 0 || (topic === TITLE && known.length > 0)) return []
    if (topic === TITLE || topic === STATE) return [{ section, how: 'replace', text: added.join('\n') }]
    const isLong = [...known, ...added].join('\n').length > MOST
    const text = isLong ? lastLines([...known, ...added], MOST / 2) : added.join('\n')
    return [{ section, how: isLong ? 'replace' : 'append', text }]
  })
  return { type: 'tool_use', name: TOOL, input: { edits } }
}

const TITLE = /title/i
const STATE = /state/i

/** Lines for the sections whose name has that word in it; the first that fits. */
function factsOf(messages: readonly Message[]): readonly (readonly [RegExp, readonly string[]])[] {
  const blocks = messages.flatMap(({ role, content }) => content.map((block) => ({ role, block })))
  const texts = (by: string) =>
    blocks.flatMap(({ role, block }) => (role === by && block.type === 'text' ? [brief(String(block.text))] : []))
  const calls = blocks.flatMap(({ block }) => (block.type === 'tool_use' ? [callLine(block)] : []))
  const failed = blocks.flatMap(({ block }) => (block.is_error === true ? [brief(resultText(block))] : []))
  const [answers, said] = [texts('assistant'), texts('user')]
  return [
    [TITLE, (said[0] ?? '').split(' ').slice(0, 8).join(' ').split('\n').slice(0, 1)],
    [STATE, [...answers.slice(-1), ...calls.slice(-1).map((call) => `- last call: ${call}`)]],
    [/task|request/i, said.map((line) => `- ${line}`)],
    [/file/i, (calls.join('\n').match(PATH) ?? []).map((path) => `- ${path}`)],
    [/error|correction/i, failed.map((line) => `- ${line}`)],
    [/result/i, answers.slice(-3).map((line) => `- ${line}`)],
    [/worklog|log/i, calls.map((call) => `- ${call}`)],
  ]
}

function sectionsOf({ tools }: ModelTurn): readonly string[] {
  const schema = JSON.stringify(tools.find(({ name }) => name === TOOL)?.input_schema ?? {})
  const names = /"section":\{[^}]*?"enum":(\[[^\]]*\])/.exec(schema)?.[1] ?? '[]'
  return JSON.parse(names) as string[]
}

/** The lines of a section of the notes that the task quotes, without the one that says what goes there. */
function linesIn(asked: string, section: string): string[] {
  const lines = asked.split('\n')
  const start = lines.indexOf(`# ${section}`) + 1
  const length = lines.slice(start).findIndex((line) => line.startsWith('# ') || line === '</notes>')
  return start === 0
    ? []
    : lines.slice(start, start + length).filter((line) => line.trim() !== '' && !/^_.*_$/.test(line))
}

function lastLines(lines: readonly string[], characters: number): string {
  const kept: string[] = []
  let left = characters
  for (const line of lines.toReversed()) {
    left -= line.length + 1
    if (left < 0) break
    kept.unshift(line)
  }
  return kept.join('\n')
}

function callLine({ name, input }: Block): string {
  return brief(`${name} ${JSON.stringify(input)}`)
}

function resultText({ content }: Block): string {
  return typeof content === 'string' ? content : textsOf({ content: (content ?? []) as Block[] }).join(' ')
}

function textsOf(message: { readonly content: readonly Block[] } | undefined): string[] {
  return (message?.content ?? []).flatMap((block) => (block.type === 'text' ? [String(block.text)] : []))
}

function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LINE ? `${line.slice(0, LINE)}…` : line
}
