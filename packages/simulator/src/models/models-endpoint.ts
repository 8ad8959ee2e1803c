import { ApiError, invalid } from '../api-error.js'
import type { Json } from '../wire.js'
import type { ModelTable } from './find-model.js'
import type { ModelSpec } from './model-spec.js'

const yes = { supported: true }
const no = { supported: false }
const when = (supported: boolean) => ({ supported })

/** A model as `GET /v1/models/{id}` shows it. */
function describe(spec: ModelSpec): Json {
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
      server_tools: { supported: true, code_execution: no, web_search: no },
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

export function retrieveModel(table: ModelTable, id: string): Json {
  const spec = table.find(id)
  if (!spec) throw new ApiError(404, 'not_found_error', `model: ${id}`)
  return describe(spec)
}

/** One page, with the cursors of the API's other lists. */
export function listModels(table: ModelTable, query: URLSearchParams): Json {
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
    data: page.map(describe),
    has_more: before === null ? start + page.length < ids.length : start > 0,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  }
}
