import type { Tool } from '@nacre/core'

const LINES = 75_000
const FAILED = 41_337

/** The log of a busy hour: 5 MB, and one line in it that matters. */
export const REQUEST_LOG = Array.from({ length: LINES }, (_, index) => {
  const status = index + 1 === FAILED ? '500 clock went backwards' : '200 ok'
  return `${String(index + 1).padStart(6)} GET /login?user=${String(index % 997).padStart(4, '0')}&step=check took=${index % 83}ms size=${index % 512} status=${status}\n`
}).join('')

/** A tool that knows nothing of limits: it gives all it has. */
export const requestLog: Tool = {
  name: 'request_log',
  description: 'Gives the log of the last hour.',
  schema: { json: { type: 'object' }, parse: (input) => input },
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: () => ({ content: [{ type: 'text', text: REQUEST_LOG }] }),
}
