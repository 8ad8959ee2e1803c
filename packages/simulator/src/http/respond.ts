import type { ServerResponse } from 'node:http'
import { type ApiError, errorBody } from '../api-error.js'
import type { Json } from '../wire.js'

/** Names and values in turn, as `writeHead` takes them: making an object of them would cost more than the answer. */
export type Headers = readonly string[]

export function sendJson(response: ServerResponse, status: number, body: Json, headers: Headers): void {
  const text = JSON.stringify(body)
  const size = Buffer.byteLength(text)
  response.writeHead(status, [...headers, 'content-type', 'application/json', 'content-length', String(size)])
  // The bytes of plain ASCII are the same in both, and Latin-1 needs no translation.
  response.end(text, size === text.length ? 'latin1' : 'utf8')
}

export function sendError(response: ServerResponse, error: ApiError, requestId: string, headers: Headers): void {
  const own = Object.entries(error.options.headers ?? {}).flat()
  sendJson(response, error.status, errorBody(error, requestId), [...headers, ...own])
}
