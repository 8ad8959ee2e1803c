/** A summary as it stands in an answer. */
export interface AnswerText {
  readonly text: string
  /** Whether it stood between the tags that were asked for. */
  readonly isTagged: boolean
}

const CALLED = 'The model called a tool instead of writing a summary.'
const ENDS: ReadonlySet<string> = new Set(['end_turn', 'stop_sequence', 'compaction'])
const ERROR = /^\W*(?:api error\b|error:|\d{3} \{|\{\s*"type"\s*:\s*"error"|(?:overloaded|rate_limit|api)_error\b)/i
/** Behind it the summary is whole, however the answer ended. */
const CLOSING = '</summary>'

/**
 * The summary in an answer, whatever its form: between its tags, or else all but the draft. Throws, with what is wrong,
 * when the answer is empty, an error, a call, a draft alone, or cut.
 */
export function readAnswer({ text, stop }: { readonly text: string; readonly stop: string }): AnswerText {
  const said = text.trim()
  if (said === '') throw new Error(stop === 'tool_use' ? CALLED : `The model gave no text (${stop}).`)
  const isWhole = ENDS.has(stop)
  if (!isWhole && stop !== 'tool_use' && !isCut(stop)) throw new Error(`The summary was cut or refused (${stop}).`)
  if (ERROR.test(said)) throw new Error(`The answer is an error and no summary: ${brief(said)}`)
  const rest = withoutDraft(said)
  const tagged = between(rest, isWhole)
  if (tagged === undefined && stop === 'tool_use') throw new Error(CALLED)
  if (tagged === undefined && !isWhole) throw new Error(`The summary was cut (${stop}).`)
  const summary = (tagged ?? rest).trim()
  if (summary === '')
    throw new Error(`The answer holds no summary${rest === said ? '' : ', only a draft'}: ${brief(said)}`)
  return { text: summary, isTagged: tagged !== undefined }
}

/** What is no longer told in full: it was stopped at a limit, its own or that of the context. */
export function isCut(stop: string): boolean {
  return stop === 'max_tokens' || stop === 'max_turns'
}

/** The draft is for the model alone. One that is quoted inside the summary is none, and one that never ends is all there is. */
function withoutDraft(text: string): string {
  const [draft, summary] = [text.search(/<analysis\b[^>]*>/i), text.search(/<summary\b[^>]*>/i)]
  if (draft === -1 || (summary !== -1 && summary < draft)) return text
  const rest = text.slice(draft)
  const end = /<\/analysis>/i.exec(rest)
  if (end) return `${text.slice(0, draft)}${rest.slice(end.index + end[0].length)}`
  return summary === -1 ? text.slice(0, draft) : text.slice(summary)
}

/** A closing tag may be missing where the model came to its end all the same. */
function between(text: string, isWhole: boolean): string | undefined {
  const start = /<summary\b[^>]*>/i.exec(text)
  if (!start) return undefined
  const rest = text.slice(start.index + start[0].length)
  const end = rest.toLowerCase().lastIndexOf(CLOSING)
  if (end === -1 && !isWhole) return undefined
  return end === -1 ? rest : rest.slice(0, end)
}

const BRIEF = 120

/** How an answer begins, in one line. */
export function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > BRIEF ? `${line.slice(0, BRIEF)}…` : line
}
