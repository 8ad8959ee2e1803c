import { cacheControl } from './cache-control-shape.js'
import { anything, flag, list, matching, nullable, object, oneOf, record, type Shape, tagged, text } from './shape.js'

const inputSchema: Shape = (value) => {
  const found = record(value)
  if (found) return found
  const { type } = value as { type?: unknown }
  if (type === undefined) return { path: ['type'], message: 'Field required' }
  return type === 'object' ? undefined : { path: ['type'], message: "Input should be 'object'" }
}

const custom = object({
  type: nullable(oneOf('custom')),
  '*name': matching(/^[a-zA-Z0-9_-]{1,64}$/),
  '*input_schema': inputSchema,
  description: text,
  cache_control: nullable(cacheControl),
  defer_loading: flag,
  eager_input_streaming: nullable(flag),
  input_examples: list(record),
  strict: flag,
  allowed_callers: list(text),
})

/** Tools whose definition the API holds: a name is all they need, their other settings are not looked at. */
const provided: Shape = (value) => {
  const tool = value as { name?: unknown; cache_control?: unknown }
  if (tool.name === undefined) return { path: ['name'], message: 'Field required' }
  const found = text(tool.name)
  if (found) return { path: ['name'], message: found.message }
  const control = nullable(cacheControl)(tool.cache_control ?? null)
  control?.path.unshift('cache_control')
  return control
}

const PROVIDED_TOOLS = [
  'bash_20241022',
  'bash_20250124',
  'code_execution_20250522',
  'code_execution_20250825',
  'code_execution_20260120',
  'code_execution_20260521',
  'computer_20241022',
  'computer_20250124',
  'computer_20251124',
  'memory_20250818',
  'text_editor_20241022',
  'text_editor_20250124',
  'text_editor_20250429',
  'text_editor_20250728',
  'tool_search_tool_bm25',
  'tool_search_tool_bm25_20251119',
  'tool_search_tool_regex',
  'tool_search_tool_regex_20251119',
  'web_fetch_20250910',
  'web_fetch_20260209',
  'web_fetch_20260309',
  'web_fetch_20260318',
  'web_search_20250305',
  'web_search_20260209',
  'web_search_20260318',
] as const

export const toolDefinition: Shape = tagged(
  { custom, ...Object.fromEntries(PROVIDED_TOOLS.map((type) => [type, provided])) },
  'custom',
)

export const toolChoice = tagged({
  auto: object({ type: anything, disable_parallel_tool_use: flag }),
  any: object({ type: anything, disable_parallel_tool_use: flag }),
  tool: object({ type: anything, '*name': text, disable_parallel_tool_use: flag }),
  none: object({ type: anything }),
})
