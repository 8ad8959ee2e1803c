import type { Author, Cause, Consent } from './types.js'

const AUTHORS: readonly Author[] = ['person', 'hand', 'agent', 'extraction', 'dream', 'import', 'undo']
const CONSENTS: readonly Consent[] = ['lossless', 'reversible', 'asked']
const TRAILER = /^(By|Session|Cost|Consent): (.*)$/

/** The message of a commit: summary, details, and trailers that any git client shows. `parseMessage` reads it back. */
export function formatMessage({ by, summary, details = [], session, dollars, consent }: Cause): string {
  const lines = details.map(oneLine).filter((line) => line !== '')
  const trailers = [`By: ${by}`]
  if (session !== undefined) trailers.push(`Session: ${oneLine(session)}`)
  if (dollars !== undefined) trailers.push(`Cost: $${costText(dollars)}`)
  if (consent !== undefined) trailers.push(`Consent: ${consent}`)
  const parts = [oneLine(summary) || 'Changed', lines.join('\n'), trailers.join('\n')]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** Why a commit was made, by its message. One without our trailers was made by a person. */
export function parseMessage(message: string): Cause {
  const paragraphs = message.trim().split(/\n{2,}/)
  const trailers = trailersOf(paragraphs.at(-1) ?? '')
  const by = AUTHORS.find((author) => author === trailers?.get('By'))
  const isOurs = by !== undefined && paragraphs.length > 1
  const [head = '', ...rest] = isOurs ? paragraphs.slice(0, -1) : paragraphs
  const [summary = '', ...more] = head.split('\n')
  const details = [...more, ...rest.flatMap((part) => part.split('\n'))].filter((line) => line.trim() !== '')
  const session = trailers?.get('Session')
  const dollars = Number(trailers?.get('Cost')?.replace('$', '') ?? Number.NaN)
  const consent = CONSENTS.find((each) => each === trailers?.get('Consent'))
  return {
    by: isOurs ? by : 'hand',
    summary,
    ...(details.length > 0 && { details }),
    ...(isOurs && session !== undefined && { session }),
    ...(isOurs && Number.isFinite(dollars) && { dollars }),
    ...(isOurs && consent !== undefined && { consent }),
  }
}

function trailersOf(paragraph: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>()
  for (const line of paragraph.split('\n')) {
    const [, name, value] = TRAILER.exec(line) ?? []
    if (name === undefined || value === undefined) return undefined
    found.set(name, value)
  }
  return found
}

/** Dollars to a millionth, and never fewer than four digits after the point. */
function costText(dollars: number): string {
  const text = dollars.toFixed(6)
  return text.replace(/0{1,2}$/, '')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
