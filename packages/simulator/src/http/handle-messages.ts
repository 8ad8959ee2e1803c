import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, answer } from '../answer/answer.js'
import { messageBody } from '../answer/message-body.js'
import { streamEvents } from '../answer/stream-events.js'
import { dollars, type Iteration, NO_TOKENS, sumAll } from '../answer/usage.js'
import { ApiError, invalid } from '../api-error.js'
import { type Fault, faultError } from '../faults.js'
import type { CheckedRequest } from '../validate/check-request.js'
import { checkRequest } from '../validate/check-request.js'
import { readRequest } from '../validate/read-request.js'
import type { MessagesBody } from '../wire.js'
import { accountHeaders, accountOf, type Call, dialectOf } from './call.js'
import { isNestedDeeply, readBody } from './read-body.js'
import { type Headers, sendError, sendJson } from './respond.js'
import { sendStream } from './send-stream.js'
import type { SimulatorParts } from './simulator-parts.js'

const DEFAULT_WINDOW = 200_000

/** `POST /v1/messages`, from the body to the ledger. */
export async function handleMessages(call: Call, parts: SimulatorParts): Promise<void> {
  const account = accountOf(call.request, parts.accounts, parts.account)
  const headers = accountHeaders(call.requestId, account)
  const seen: { body?: string; model?: string } = {}
  try {
    const source = await readBody(call.request)
    seen.body = source
    const dialect = dialectOf(call.request, 'messages', parts.cacheEdits)
    const fault = parts.faults.strike(call.source)
    const body = readRequest(source, dialect)
    seen.model = body.model
    if (fault) await applyFault(fault, body, call, parts)
    if (call.signal.aborted || call.response.destroyed) return
    const request = checkRequest(body, { dialect, account, find: parts.backend.table.find, seals: parts.backend.seals })
    const context = { backend: parts.backend, source: call.source, started: call.started, signal: call.signal }
    const result = await answer(request, context)
    if (call.signal.aborted || call.response.destroyed) return
    const billed = sumAll(result.iterations)
    const limits = charge(request, billed, parts)
    result.begin()
    const all = [...headers, ...limits]
    const end = body.stream
      ? await sendStream(call.response, streamEvents(result, request), {
          requestId: call.requestId,
          headers: all,
          fault,
          pace: parts.pace,
          signal: call.signal,
        })
      : sendWhole(call, result, request, fault, all)
    record(call, parts, source, { request, result, billed, end })
  } catch (error) {
    const known = toApiError(error, seen.body, parts)
    if (!call.response.headersSent) {
      const all = [...headers, ...parts.limiter.headers(account.organization)]
      sendError(call.response, known, call.requestId, all)
    } else call.response.destroy()
    recordFailure(call, parts, seen.body ?? '', seen.model ?? '', known)
  }
}

/** A fault before the answer: an error, a dropped connection, or a wait. */
async function applyFault(fault: Fault, body: MessagesBody, call: Call, parts: SimulatorParts): Promise<void> {
  const window = parts.backend.table.find(body.model)?.window ?? DEFAULT_WINDOW
  const error = faultError(fault, window)
  if (error) throw error
  if (fault.kind === 'reset') call.response.destroy()
  if (fault.kind === 'slow')
    await wait(fault.amount ?? 1_000, undefined, { signal: call.signal }).catch(() => undefined)
}

function charge({ account, spec }: CheckedRequest, billed: Iteration, parts: SimulatorParts): Headers {
  const { input, write5m, write1h, output } = billed
  return parts.limiter.take(account.organization, spec.id, input + write5m + write1h, output)
}

function sendWhole(call: Call, result: Answer, request: CheckedRequest, fault: Fault | undefined, headers: Headers) {
  if (fault?.kind === 'cut') {
    call.response.writeHead(200, [...headers, 'content-type', 'application/json'])
    call.response.write('{"id":')
    call.response.destroy()
    return 'cut'
  }
  sendJson(call.response, 200, messageBody(result, request), headers)
  return 'whole'
}

/** A model that fails is the simulator's own user's mistake, so its message is passed on. */
function toApiError(error: unknown, body: string | undefined, parts: SimulatorParts): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof RangeError && isNestedDeeply(body ?? '')) return invalid('The request body is nested too deeply')
  parts.report(error as Error)
  return new ApiError(500, 'api_error', `The simulated model failed: ${(error as Error).message}`)
}

interface Served {
  readonly request: CheckedRequest
  readonly result: Answer
  readonly billed: Iteration
  readonly end: string
}

function record(call: Call, parts: SimulatorParts, body: string, { request, result, billed, end }: Served): void {
  const { read, write5m, write1h, input, output } = billed
  const entry = {
    time: call.started,
    requestId: call.requestId,
    messageId: result.id,
    source: call.source,
    model: request.spec.id,
    status: 200,
    end: end === 'whole' ? result.stop : end,
    read,
    write5m,
    write1h,
    input,
    output,
    dollars: dollars(request.spec, result.iterations),
  }
  parts.ledger.record(entry)
  parts.observers.tell(() => ({ entry, body, response: messageBody(result, request) }))
}

function recordFailure(call: Call, parts: SimulatorParts, body: string, model: string, error: ApiError): void {
  const { time, requestId, source } = { time: call.started, requestId: call.requestId, source: call.source }
  const entry = {
    time,
    requestId,
    messageId: null,
    source,
    model,
    status: error.status,
    end: error.type,
    ...NO_TOKENS,
    output: 0,
    dollars: 0,
  }
  parts.ledger.record(entry)
  parts.observers.tell(() => ({ entry, body, response: null }))
}
