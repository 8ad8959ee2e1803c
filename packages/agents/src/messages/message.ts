import type { Json } from '@nacre/core'

/** What one says to another. */
export interface Message {
  readonly id: string
  readonly from: string
  readonly to: string
  /** A text, or an object with parts that the receiver knows. */
  readonly body: Json
  readonly summary?: string
  readonly time: number
}

/** A message on its way between two members, numbered from 1 for each pair. */
export interface Mail {
  readonly message: Message
  readonly seq: number
}

/** What a member keeps about a mail. */
export type MailRecord =
  /** Kept before it is put into the other's box. */
  | { readonly kind: 'sent'; readonly mail: Mail }
  /** The other has it in its log. */
  | { readonly kind: 'delivered'; readonly id: string; readonly to: string; readonly seq: number }
  /** Taken in, once. */
  | { readonly kind: 'received'; readonly mail: Mail }

/** The log of the member: the only truth about what was sent and received. */
export interface MailLog {
  read(): AsyncIterable<MailRecord>
  /** Once it has resolved the record survives a kill. Those of one pair come one after the other, those of two may overlap. */
  append(record: MailRecord): Promise<void>
}

/** The message that parsed JSON stands for; `undefined` where it is none. */
export function toMessage(value: unknown): Message | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { id, from, to, body, summary, time } = value as Partial<Record<keyof Message, unknown>>
  if (typeof id !== 'string' || id === '' || typeof from !== 'string' || typeof to !== 'string') return undefined
  if (body === undefined || typeof time !== 'number') return undefined
  if (summary !== undefined && typeof summary !== 'string') return undefined
  // What was parsed has no parts but JSON.
  return { id, from, to, body: body as Json, ...(summary !== undefined && { summary }), time }
}

/** The mail that a line stands for; `undefined` where it is none. */
export function toMail(line: string): Mail | undefined {
  try {
    const { message, seq } = JSON.parse(line) as Partial<Record<keyof Mail, unknown>>
    const said = toMessage(message)
    const isNumbered = typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0
    return said !== undefined && isNumbered ? { message: said, seq } : undefined
  } catch {
    return undefined
  }
}
