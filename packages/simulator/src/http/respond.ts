import type { ServerResponse } from 'node:http'
import { type ApiError, errorBody } from '../api-error.js'
import type { Json } from '../wire.js'

export type Headers = Readonly<Record<string, string>>

/** Headers as the list that `writeHead` takes; making one object of them all would cost more than the answer. */
export function headerList(sets: readonly Headers[]): string[] {
  const list: string[] = []
  for (const set of sets) for (const name in set) list.push(name, set[name] as string)
  return list
}

export function sendJson(response: ServerResponse, status: number, body: Json, ...headers: readonly Headers[]): void {
  const text = JSON.stringify(body)
  const list = headerList(headers)
  list.push('content-type', 'application/json', 'content-length', String(Buffer.byteLength(text)))
  response.writeHead(status, list)
  response.end(text)
}

export function sendError(
  response: ServerResponse,
  error: ApiError,
  requestId: string,
  ...headers: readonly Headers[]
): void {
  sendJson(response, error.status, errorBody(error, requestId), ...headers, error.options.headers ?? {})
}
