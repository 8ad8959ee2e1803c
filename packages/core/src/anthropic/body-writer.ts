import type { Json } from '../types/log.js'

type Body = { readonly [field: string]: Json | undefined }

/** Bytes to send, which the writer lends out: they hold until they are given back. */
interface Lent {
  readonly bytes: Uint8Array
  giveBack(): void
}

/** Writes a body as JSON: the same bytes as `JSON.stringify` gives. */
export type BodyWriter = (body: Body) => Lent

const encoder = new TextEncoder()
const ROOM = 64 * 1024

/**
 * A writer that keeps what it wrote last. A message that was sent before is the very same object again, so the next
 * request of a conversation costs what is new in it: to write a long one anew for every turn was a third of all the work
 * of sending it.
 */
export function createBodyWriter(): BodyWriter {
  const page = createPage()
  let head = ''
  let headEnd = 0
  let messages: readonly Json[] = []
  /** Where each message ends. */
  let ends: number[] = []
  let isLent = false

  /** Keeps what both bodies begin with, and says how many messages that is. */
  const keepShared = (nextHead: string, next: readonly Json[]): number => {
    if (nextHead !== head) {
      head = nextHead
      ends = []
      page.cut(0)
      page.write(head)
      headEnd = page.length()
      return 0
    }
    const limit = Math.min(ends.length, next.length)
    let shared = 0
    while (shared < limit && next[shared] === messages[shared]) shared += 1
    page.cut(ends[shared - 1] ?? headEnd)
    ends.length = shared
    return shared
  }

  return (body) => {
    const { messages: next, before, after } = partsOf(body)
    if (isLent || !next) return { bytes: encoder.encode(JSON.stringify(body)), giveBack: () => undefined }
    isLent = true
    for (let index = keepShared(`${before}"messages":[`, next); index < next.length; index++) {
      page.write(`${index === 0 ? '' : ','}${JSON.stringify(next[index])}`)
      ends.push(page.length())
    }
    messages = next
    page.write(`]${after}`)
    return {
      bytes: page.bytes(),
      giveBack() {
        isLent = false
      },
    }
  }
}

/** The messages of a body, and the text before and after them. */
function partsOf(body: Body) {
  const { messages } = body
  let before = '{'
  let after = ''
  let isBefore = true
  for (const [name, value] of Object.entries(body)) {
    if (name === 'messages') isBefore = false
    else if (value !== undefined && isBefore) before += `${JSON.stringify(name)}:${JSON.stringify(value)},`
    else if (value !== undefined) after += `,${JSON.stringify(name)}:${JSON.stringify(value)}`
  }
  return { messages: Array.isArray(messages) ? (messages as readonly Json[]) : undefined, before, after: `${after}}` }
}

/** Bytes that grow at their end. */
function createPage() {
  let bytes = new Uint8Array(ROOM)
  let length = 0
  return {
    length: () => length,
    bytes: () => bytes.subarray(0, length),
    cut(to: number) {
      length = to
    },
    write(text: string) {
      const most = length + text.length * 3
      if (most > bytes.length) {
        const larger = new Uint8Array(Math.max(most, bytes.length * 2))
        larger.set(bytes.subarray(0, length))
        bytes = larger
      }
      length += encoder.encodeInto(text, bytes.subarray(length)).written
    },
  }
}
