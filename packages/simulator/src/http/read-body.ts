import type { IncomingMessage } from 'node:http'
import { ApiError } from '../api-error.js'

const MAX_BODY = 32 * 1024 * 1024

/** Never settles when the client leaves before the end of what it had to say: then there is nothing left to do. */
export function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      // The rest is read and thrown away: a client that is still sending would not see an answer.
      if (size > MAX_BODY) chunks.length = 0
      else chunks.push(chunk)
    })
    request.on('end', () => {
      if (size > MAX_BODY) reject(new ApiError(413, 'request_too_large', 'Request exceeds the maximum size'))
      else resolve((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString())
    })
  })
}

const DEEPEST = 1_000

/** Whether a body goes deeper than the stack may reach. Asked only once something went wrong. */
export function isNestedDeeply(body: string): boolean {
  let depth = 0
  for (const [bracket] of body.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (bracket === '[' || bracket === '{') depth += 1
    else if (bracket === ']' || bracket === '}') depth -= 1
    if (depth > DEEPEST) return true
  }
  return false
}
