import { ApiError, invalid } from '../api-error.js'
import { listModels, retrieveModel } from '../models/models-endpoint.js'
import { accountHeaders, accountOf, type Call, dialectOf } from './call.js'
import { handleControl } from './handle-control.js'
import { handleCount } from './handle-count.js'
import { handleMessages } from './handle-messages.js'
import { type Headers, sendError, sendJson } from './respond.js'
import type { SimulatorParts } from './simulator-parts.js'

const MESSAGES = '/v1/messages'

/** Sends a call to its handler. Whatever goes wrong becomes an answer; it never throws. */
export async function route(call: Call, parts: SimulatorParts): Promise<void> {
  try {
    const path = call.request.url ?? '/'
    if (path === MESSAGES) return await posted(call, parts, handleMessages)
    const url = new URL(path, 'http://simulator')
    await dispatch(call, url.pathname.replace(/\/+$/, ''), url.searchParams, parts)
  } catch (error) {
    const known = error instanceof ApiError ? error : invalid(String((error as Error).message))
    if (call.response.headersSent) call.response.destroy()
    else sendError(call.response, known, call.requestId, errorHeaders(call, parts))
  }
}

/** An error, too, says whose it is, where the key tells. */
function errorHeaders({ request, requestId }: Call, { accounts, account }: SimulatorParts): Headers {
  try {
    return accountHeaders(requestId, accountOf(request, accounts, account))
  } catch {
    return ['request-id', requestId]
  }
}

async function dispatch(call: Call, path: string, query: URLSearchParams, parts: SimulatorParts): Promise<void> {
  if (path.startsWith('/simulator/')) return handleControl(call, path, parts)
  if (path === MESSAGES) return posted(call, parts, handleMessages)
  if (path === '/v1/messages/count_tokens') return posted(call, parts, handleCount)
  if (path === '/v1/models' || path.startsWith('/v1/models/')) return showModels(call, path, query, parts)
  throw new ApiError(404, 'not_found_error', `Not found: ${call.request.method} ${path}`)
}

function posted(call: Call, parts: SimulatorParts, handle: typeof handleMessages): Promise<void> {
  if (call.request.method !== 'POST') throw new ApiError(405, 'invalid_request_error', 'Method Not Allowed')
  return handle(call, parts)
}

function showModels(
  call: Call,
  path: string,
  query: URLSearchParams,
  { accounts, account: base, backend, cacheEdits }: SimulatorParts,
): void {
  if (call.request.method !== 'GET') throw new ApiError(405, 'invalid_request_error', 'Method Not Allowed')
  const account = accountOf(call.request, accounts, base)
  dialectOf(call.request, 'messages', cacheEdits)
  const id = decodeURIComponent(path.slice('/v1/models/'.length))
  const body = path === '/v1/models' ? listModels(backend.table, query) : retrieveModel(backend.table, id)
  sendJson(call.response, 200, body, accountHeaders(call.requestId, account))
}
