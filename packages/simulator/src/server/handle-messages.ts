import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, answer } from '../answer/answer.js'
import { dollars, type Iteration, NO_TOKENS, sumAll } from '../answer/usage.js'
import { type CheckedRequest, checkRequest } from '../validate/check-request.js'
import { readRequest } from '../validate/read-request.js'
import { ApiError, invalid } from '../wire/api-error.js'
import type { MessagesBody } from '../wire/messages.js'
import { accountHeaders, accountOf, type Call, dialectOf, readBody, type ServerContext } from './call.js'
import { type Fault, faultError } from './faults.js'
import { type Headers, sendError, sendJson, sendStream } from './respond.js'
import { messageBody, streamEvents } from './response-body.js'

const DEFAULT_WINDOW = 200_000

/** `POST /v1/messages`, from the body to the ledger. */
export async function handleMessages(call: Call, context: ServerContext): Promise<void> {
  const account = accountOf(call.request, context)
  const headers = accountHeaders(call.requestId, account)
  const seen: { body?: string; model?: string } = {}
  try {
    const text = await readBody(call.request)
    seen.body = text
    const dialect = dialectOf(call.request, 'messages', context.cacheEdits)
    const fault = context.faults.strike(call.source)
    const body = readRequest(text, dialect)
    seen.model = body.model
    if (fault) await applyFault(fault, body, call, context)
    if (call.signal.aborted || call.response.destroyed) return
    const { table, seals } = context.backend
    const request = checkRequest(body, { dialect, account, find: table.find, seals })
    const { source, started, signal } = call
    const result = await answer(request, { backend: context.backend, source, started, signal })
    if (call.signal.aborted || call.response.destroyed) return
    const billed = sumAll(result.iterations)
    const limits = charge(request, billed, context)
    result.begin()
    const all = [...headers, ...limits]
    const end = body.stream
      ? await sendStream(call.response, streamEvents(result, request), {
          requestId: call.requestId,
          headers: all,
          fault,
          pace: context.pace,
          signal: call.signal,
        })
      : sendWhole(call, result, request, fault, all)
    record(call, context, text, { request, result, billed, end })
  } catch (error) {
    const known = toApiError(error, seen.body, context)
    if (!call.response.headersSent) {
      const all = [...headers, ...context.limiter.headers(account.organization)]
      sendError(call.response, known, call.requestId, all)
    } else call.response.destroy()
    recordFailure(call, context, seen.body ?? '', seen.model ?? '', known)
  }
}

/** A fault before the answer: an error, a dropped connection, or a wait. */
async function applyFault(fault: Fault, body: MessagesBody, call: Call, context: ServerContext): Promise<void> {
  const window = context.backend.table.find(body.model)?.window ?? DEFAULT_WINDOW
  const error = faultError(fault, window)
  if (error) throw error
  if (fault.kind === 'reset') call.response.destroy()
  if (fault.kind === 'slow')
    await wait(fault.amount ?? 1_000, undefined, { signal: call.signal }).catch(() => undefined)
}

function charge({ account, spec }: CheckedRequest, billed: Iteration, context: ServerContext): Headers {
  const { input, write5m, write1h, output } = billed
  return context.limiter.take(account.organization, spec.id, input + write5m + write1h, output)
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
function toApiError(error: unknown, body: string | undefined, context: ServerContext): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof RangeError && isNestedDeeply(body ?? '')) return invalid('The request body is nested too deeply')
  context.report(error as Error)
  return new ApiError(500, 'api_error', `The simulated model failed: ${(error as Error).message}`)
}

const DEEPEST = 1_000

/** Whether a body goes deeper than the stack may reach. Asked only once something went wrong. */
function isNestedDeeply(body: string): boolean {
  let depth = 0
  for (const [bracket] of body.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (bracket === '[' || bracket === '{') depth += 1
    else if (bracket === ']' || bracket === '}') depth -= 1
    if (depth > DEEPEST) return true
  }
  return false
}

interface Served {
  readonly request: CheckedRequest
  readonly result: Answer
  readonly billed: Iteration
  readonly end: string
}

function record(call: Call, context: ServerContext, body: string, { request, result, billed, end }: Served): void {
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
    dollars: dollars(request.spec, result.iterations, result.webSearches),
  }
  context.ledger.record(entry)
  context.observers.notify(() => ({ entry, body, response: messageBody(result, request) }))
}

function recordFailure(call: Call, context: ServerContext, body: string, model: string, error: ApiError): void {
  const entry = {
    time: call.started,
    requestId: call.requestId,
    messageId: null,
    source: call.source,
    model,
    status: error.status,
    end: error.type,
    ...NO_TOKENS,
    output: 0,
    dollars: 0,
  }
  context.ledger.record(entry)
  context.observers.notify(() => ({ entry, body, response: null }))
}
