import type { ModelSpec } from '../models/model-spec.js'
import type { ModelTable } from '../models/model-table.js'
import { readPrompt } from '../prompt/read-prompt.js'
import { checkRequest } from '../validate/check-request.js'
import { parseJson, readRequest } from '../validate/read-request.js'
import { ApiError, invalid } from '../wire/api-error.js'
import { BETA } from '../wire/betas.js'
import { isRecord, type Json } from '../wire/messages.js'
import { accountHeaders, accountOf, type Call, dialectOf, readBody, type ServerContext } from './call.js'
import type { Fault } from './faults.js'
import { handleMessages } from './handle-messages.js'
import { type Headers, sendError, sendJson } from './respond.js'

const MESSAGES = '/v1/messages'

/** Sends a call to its handler. Whatever goes wrong becomes an answer; it never throws. */
export async function route(call: Call, context: ServerContext): Promise<void> {
  try {
    const path = call.request.url ?? '/'
    if (path === MESSAGES) return await posted(call, context, handleMessages)
    const url = new URL(path, 'http://simulator')
    await dispatch(call, url.pathname.replace(/\/+$/, ''), url.searchParams, context)
  } catch (error) {
    const known = error instanceof ApiError ? error : invalid(String((error as Error).message))
    if (call.response.headersSent) call.response.destroy()
    else sendError(call.response, known, call.requestId, errorHeaders(call, context))
  }
}

/** An error, too, says whose it is, where the key tells. */
function errorHeaders({ request, requestId }: Call, context: ServerContext): Headers {
  try {
    return accountHeaders(requestId, accountOf(request, context))
  } catch {
    return ['request-id', requestId]
  }
}

async function dispatch(call: Call, path: string, query: URLSearchParams, context: ServerContext): Promise<void> {
  if (path.startsWith('/simulator/')) return handleControl(call, path, context)
  if (path === MESSAGES) return posted(call, context, handleMessages)
  if (path === '/v1/messages/count_tokens') return posted(call, context, handleCount)
  if (path === '/v1/models' || path.startsWith('/v1/models/')) return handleModels(call, path, query, context)
  throw new ApiError(404, 'not_found_error', `Not found: ${call.request.method} ${path}`)
}

function posted(call: Call, context: ServerContext, handle: typeof handleMessages): Promise<void> {
  if (call.request.method !== 'POST') throw new ApiError(405, 'invalid_request_error', 'Method Not Allowed')
  return handle(call, context)
}

/** `POST /v1/messages/count_tokens`: the same checks, no model, no bill. */
async function handleCount(call: Call, context: ServerContext): Promise<void> {
  const account = accountOf(call.request, context)
  const source = await readBody(call.request)
  const dialect = dialectOf(call.request, 'count_tokens', context.cacheEdits)
  const { table, seals, memo } = context.backend
  const request = checkRequest(readRequest(source, dialect), { dialect, account, find: table.find, seals })
  const { prompt, originalTokens } = readPrompt(request, memo)
  const edits = request.body.context_management ? { original_input_tokens: originalTokens } : null
  const isBeta = edits !== null || dialect.betas.has(BETA.tokenCounting)
  const body: Json = { input_tokens: prompt.tokens, ...(isBeta && { context_management: edits }) }
  sendJson(call.response, 200, body, accountHeaders(call.requestId, account))
}

/** `GET /v1/models` and `GET /v1/models/{id}`. */
function handleModels(call: Call, path: string, query: URLSearchParams, context: ServerContext): void {
  if (call.request.method !== 'GET') throw new ApiError(405, 'invalid_request_error', 'Method Not Allowed')
  const account = accountOf(call.request, context)
  dialectOf(call.request, 'messages', context.cacheEdits)
  const id = decodeURIComponent(path.slice('/v1/models/'.length))
  const { table } = context.backend
  const body = path === '/v1/models' ? listModels(table, query) : retrieveModel(table, id)
  sendJson(call.response, 200, body, accountHeaders(call.requestId, account))
}

/** One page, with the cursors of the API's other lists. */
function listModels(table: ModelTable, query: URLSearchParams): Json {
  const limit = Number(query.get('limit') ?? 20)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) throw invalid('limit: Input should be between 1 and 1000')
  const ids = table.all.map((spec) => spec.id)
  const after = query.get('after_id')
  const before = query.get('before_id')
  let start = after === null ? 0 : ids.indexOf(after) + 1
  let end = ids.length
  if (before !== null) {
    end = Math.max(0, ids.indexOf(before))
    start = Math.max(start, end - limit)
  }
  const page = table.all.slice(start, Math.min(end, start + limit))
  return {
    data: page.map(describeModel),
    has_more: before === null ? start + page.length < ids.length : start > 0,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  }
}

function retrieveModel(table: ModelTable, id: string): Json {
  const spec = table.find(id)
  if (!spec) throw new ApiError(404, 'not_found_error', `model: ${id}`)
  return describeModel(spec)
}

const yes = { supported: true }
const no = { supported: false }
const when = (supported: boolean) => ({ supported })

/** A model as `GET /v1/models/{id}` shows it. */
function describeModel(spec: ModelSpec): Json {
  const effort = spec.effort !== null
  const types = spec.thinking.types
  return {
    id: spec.id,
    type: 'model',
    display_name: spec.displayName,
    created_at: `${spec.released}T00:00:00Z`,
    line: spec.line,
    lifecycle: spec.retires === null ? 'active' : 'deprecated',
    deprecated_at: null,
    retires_at: spec.retires === null ? null : `${spec.retires}T00:00:00Z`,
    max_input_tokens: spec.window,
    max_tokens: spec.maxOutput,
    capabilities: {
      batch: no,
      citations: yes,
      code_execution: no,
      compaction: when(spec.onDemandCompaction),
      context_management: {
        supported: true,
        clear_thinking_20251015: yes,
        clear_tool_uses_20250919: yes,
        compact_20260112: when(spec.onDemandCompaction),
      },
      effort: {
        supported: effort,
        low: when(effort),
        medium: when(effort),
        high: when(effort),
        xhigh: when(effort),
        max: when(effort),
      },
      image_input: yes,
      pdf_input: yes,
      server_tools: { supported: true, code_execution: no, web_search: yes },
      structured_outputs: yes,
      thinking: {
        supported: true,
        types: {
          adaptive: when(types.includes('adaptive')),
          between_tools: when(types.includes('between_tools')),
          disabled: when(types.includes('disabled')),
          enabled: when(types.includes('enabled')),
        },
      },
    },
  }
}

/**
 * What tests in other languages need and the API does not have:
 * `GET /simulator/ledger`, `POST /simulator/clock {"advance":ms}`, `POST /simulator/faults {…}`, `DELETE /simulator/faults`.
 */
async function handleControl(call: Call, path: string, context: ServerContext): Promise<void> {
  const body = await control(`${call.request.method} ${path}`, call, context)
  sendJson(call.response, 200, body, ['request-id', call.requestId])
}

async function control(route: string, call: Call, { ledger, clock, faults }: ServerContext): Promise<Json> {
  switch (route) {
    case 'GET /simulator/ledger': {
      const bySource = Object.fromEntries(ledger.sources().map((source) => [source, ledger.totals(source)]))
      return { total: ledger.totals(), sources: bySource } as unknown as Json
    }
    case 'POST /simulator/clock': {
      const { advance } = await readObject(call)
      if (typeof advance !== 'number') throw invalid('advance: Input should be a number of milliseconds')
      clock.advance(advance)
      return { now: clock.now() }
    }
    case 'POST /simulator/faults':
      faults.add((await readObject(call)) as unknown as Fault)
      return {}
    case 'DELETE /simulator/faults':
      faults.clear()
      return {}
  }
  throw new ApiError(404, 'not_found_error', `There is no ${route}.`)
}

async function readObject(call: Call): Promise<Record<string, unknown>> {
  const body = parseJson((await readBody(call.request)) || '{}')
  if (!isRecord(body)) throw invalid('The request body should be an object')
  return body
}
