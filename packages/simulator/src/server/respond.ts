import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, errorBody } from '../wire/api-error.js'
import type { Json } from '../wire/messages.js'
import type { Fault } from './faults.js'
import type { StreamEvent } from './response-body.js'

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

const BUFFER = 64 * 1024
const DEFAULT_AMOUNT = 4

interface StreamOptions {
  readonly requestId: string
  readonly headers: Headers
  readonly fault: Fault | undefined
  /** Milliseconds between two events. */
  readonly pace: number
  readonly signal: AbortSignal
}

/** How a stream ended: as it was meant to, or by a fault, or because the client left. */
type StreamEnd = 'whole' | 'stream-error' | 'cut' | 'stall' | 'left'

/** Sends events as they come, no faster than the client reads them. */
export async function sendStream(
  response: ServerResponse,
  events: Iterable<StreamEvent>,
  options: StreamOptions,
): Promise<StreamEnd> {
  const { fault, pace, signal } = options
  const type = ['content-type', 'text/event-stream; charset=utf-8', 'cache-control', 'no-cache']
  response.writeHead(200, [...options.headers, ...type])
  let passing = isStreamFault(fault) ? (fault?.amount ?? DEFAULT_AMOUNT) : Number.POSITIVE_INFINITY
  let pending = ''
  for (const event of events) {
    if (signal.aborted) return 'left'
    if (passing-- <= 0) return spoil(response, pending, fault as Fault, options)
    pending += format(event.type, event)
    if (pace > 0) await wait(pace, undefined, { signal }).catch(() => undefined)
    if (pending.length < BUFFER && pace === 0) continue
    if (!response.write(pending)) await drained(response)
    pending = ''
  }
  if (signal.aborted) return 'left'
  if (isStreamFault(fault)) return spoil(response, pending, fault as Fault, options)
  response.end(pending)
  return 'whole'
}

/** Waits until the client has read on, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  if (response.closed || response.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}

function isStreamFault(fault: Fault | undefined): boolean {
  return fault?.kind === 'stream-error' || fault?.kind === 'cut' || fault?.kind === 'stall'
}

async function spoil(
  response: ServerResponse,
  pending: string,
  fault: Fault,
  options: StreamOptions,
): Promise<StreamEnd> {
  if (fault.kind === 'stream-error') {
    response.end(
      pending + format('error', errorBody(new ApiError(529, 'overloaded_error', 'Overloaded'), options.requestId)),
    )
    return 'stream-error'
  }
  await new Promise<void>((resolve) => response.write(pending, () => resolve()))
  if (fault.kind === 'cut') {
    response.destroy()
    return 'cut'
  }
  if (!options.signal.aborted) await once(options.signal, 'abort')
  return 'stall'
}

function format(name: string, data: Json): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
