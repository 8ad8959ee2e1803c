import type { CacheBreak } from '../types/events.js'
import type { BlockPosition } from '../types/model.js'
import type { OwnedHash, SentPrefix } from './prefix.js'

const LENGTH = 400
/** How much of what is the same is shown before the first difference. */
const LEAD = 80

interface Side {
  readonly title: string
  readonly text: string
}

/** A break in words, with what stood and what stands where the two requests part: for a file that a person reads. */
export function describeBreak(found: CacheBreak, before: SentPrefix, after: SentPrefix): string {
  const { cause, owner, what, reason, predicted, read, tokens, dollars } = found
  const number = (value: number) => Math.round(value).toLocaleString('en-US')
  const lines = [
    `Cache break: ${cause}, by ${owner}${reason === undefined ? '' : ` (${reason})`}`,
    what,
    `predicted ${number(predicted)} tokens, read ${number(read)}: ${number(tokens)} tokens paid again, $${dollars.toFixed(4)}`,
    `${before.model} at ${timeOf(before)}, ${after.model} at ${timeOf(after)}`,
    ...sidesOf(found, before, after),
  ]
  return `${lines.join('\n')}\n`
}

function timeOf({ time }: SentPrefix): string {
  return new Date(time).toISOString()
}

function sidesOf({ cause, place }: CacheBreak, before: SentPrefix, after: SentPrefix): string[] {
  if (cause === 'settings') return diff(sideOf('settings', before.settings), sideOf('settings', after.settings))
  if (cause === 'tools' || cause === 'system') {
    const index = before[cause].findIndex(({ hash }, at) => hash !== after[cause][at]?.hash)
    const at = index === -1 ? before[cause].length : index
    return diff(pieceSide(before[cause][at]), pieceSide(after[cause][at]))
  }
  return place ? diff(blockSide(before, place), blockSide(after, place)) : []
}

function sideOf(title: string, text: string): Side {
  return { title, text }
}

const NOTHING = sideOf('nothing', '')

function pieceSide(piece: OwnedHash | undefined): Side {
  if (!piece) return NOTHING
  return sideOf(`${piece.name} of ${piece.owner}`, textOf(piece.content ?? piece.hash))
}

function blockSide({ messages }: SentPrefix, { message, block }: BlockPosition): Side {
  const found = messages[message]?.blocks[block]
  if (!found) return NOTHING
  const { role } = messages[message] as { role: string }
  return sideOf(`message ${message} (${role}), block ${block} of ${found.owner}`, textOf(found.block))
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content)
}

function diff(old: Side, now: Side): string[] {
  let same = 0
  while (same < old.text.length && old.text[same] === now.text[same]) same++
  // What fits is shown from its start.
  const start = same < LENGTH - LEAD ? 0 : same - LEAD
  return ['', `--- ${old.title}`, part(old.text, start), `+++ ${now.title}`, part(now.text, start)]
}

function part(text: string, start: number): string {
  const end = start + LENGTH
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}`
}
