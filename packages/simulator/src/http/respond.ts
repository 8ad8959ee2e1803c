import type { ServerResponse } from 'node:http'
import { type ApiError, errorBody } from '../api-error.js'
import type { Json } from '../wire.js'

export type Headers = Readonly<Record<string, string>>

export function sendJson(response: ServerResponse, status: number, body: Json, headers: Headers): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  })
  response.end(text)
}

export function sendError(response: ServerResponse, error: ApiError, requestId: string, headers: Headers): void {
  sendJson(response, error.status, errorBody(error, requestId), { ...headers, ...error.options.headers })
}
