import { checkSections } from './check-sections.js'

/** What a model answered when it was asked for a summary. */
export interface SummaryAnswer {
  readonly text: string
  readonly stop: string
}

const ENDS: ReadonlySet<string> = new Set(['end_turn', 'stop_sequence', 'compaction'])
const ERROR = /^\W*(?:api error\b|error:|\d{3} \{|\{\s*"type"\s*:\s*"error"|(?:overloaded|rate_limit|api)_error\b)/i

/** The summary in an answer. Throws, with what is wrong, when there is none that could stand for anything. */
export function readAnswer({ text, stop }: SummaryAnswer, isUpTo: boolean): string {
  const said = text.trim()
  if (said === '') throw new Error(stop === 'tool_use' ? CALLED : `The model gave no text (${stop}).`)
  if (!ENDS.has(stop) && stop !== 'tool_use' && stop !== 'max_turns') {
    throw new Error(`The summary was cut or refused (${stop}).`)
  }
  if (ERROR.test(said)) throw new Error(`The answer is an error and no summary: ${brief(said)}`)
  const summary = between(withoutDraft(said), ENDS.has(stop))
  if (summary === undefined) throw new Error(stop === 'tool_use' ? CALLED : `There is no <summary>: ${brief(said)}`)
  return checkSections(summary, isUpTo)
}

const CALLED = 'The model called a tool instead of writing a summary.'

/** The draft is for the model alone. One that is quoted inside the summary is none. */
function withoutDraft(text: string): string {
  const [draft, summary] = [text.search(/<analysis>/i), text.search(/<summary>/i)]
  if (draft === -1 || summary < draft) return text
  const rest = text.slice(draft)
  const end = /<\/analysis>/i.exec(rest)
  return end ? rest.slice(end.index + end[0].length) : rest
}

/** A closing tag may be missing where the model came to its end all the same. */
function between(text: string, isWhole: boolean): string | undefined {
  const start = /<summary>/i.exec(text)
  if (!start) return undefined
  const rest = text.slice(start.index + start[0].length)
  const end = rest.toLowerCase().lastIndexOf('</summary>')
  if (end === -1 && !isWhole) return undefined
  const summary = end === -1 ? rest : rest.slice(0, end)
  return summary.trim() === '' ? undefined : summary
}

function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 120 ? `${line.slice(0, 120)}…` : line
}
