import {
  anything,
  flag,
  integer,
  list,
  matching,
  nullable,
  object,
  oneOf,
  record,
  type Shape,
  tagged,
  text,
  textOr,
} from './shape.js'

export const cacheControl = object({ '*type': oneOf('ephemeral'), ttl: nullable(oneOf('5m', '1h')) })

const type = anything
const marked = { type, cache_control: nullable(cacheControl) }

const textBlock = object({ ...marked, '*text': text, citations: nullable(list(record)) })

const imageSource = tagged({
  base64: object({ type, '*media_type': oneOf('image/jpeg', 'image/png', 'image/gif', 'image/webp'), '*data': text }),
  url: object({ type, '*url': text }),
  file: object({ type, '*file_id': text }),
})
const image = object({ ...marked, '*source': imageSource, transformations: nullable(record) })

const documentSource = tagged({
  base64: object({ type, '*media_type': oneOf('application/pdf'), '*data': text }),
  text: object({ type, '*media_type': oneOf('text/plain'), '*data': text }),
  content: object({ type, '*content': textOr(list(tagged({ text: textBlock, image }))) }),
  url: object({ type, '*url': text }),
  file: object({ type, '*file_id': text }),
})
const document = object({
  ...marked,
  '*source': documentSource,
  title: nullable(text),
  context: nullable(text),
  citations: nullable(object({ enabled: flag })),
})

const searchResult = object({
  ...marked,
  '*source': text,
  '*title': text,
  '*content': list(tagged({ text: textBlock })),
  citations: nullable(record),
})

const toolReference = object({ ...marked, '*tool_name': text })

const resultContent = tagged({
  text: textBlock,
  image,
  search_result: searchResult,
  document,
  tool_reference: toolReference,
  browser_state: record,
})

/** As the API takes ids of calls, and names in messages. */
const callId = matching(/^[a-zA-Z0-9_-]+$/)
const callName = matching(/^[a-zA-Z0-9_-]{1,64}$/)

const resultFields = {
  ...marked,
  '*tool_use_id': callId,
  content: textOr(list(resultContent)),
  is_error: nullable(flag),
}
const toolResult = object({ ...resultFields, toolset_name: nullable(text) })
/** The form that results take when the `cache_edits` extension is on. */
const referencedToolResult = object({ ...resultFields, cache_reference: text })

const toolUse = object({ ...marked, '*id': callId, '*name': callName, '*input': record, caller: nullable(record) })
const serverResult = object({ ...marked, '*tool_use_id': text, '*content': anything, caller: nullable(record) })

const foundPage = object({
  '*type': oneOf('web_search_result'),
  '*url': text,
  '*title': text,
  '*encrypted_content': text,
  page_age: nullable(text),
})
const failedSearch = object({ '*type': oneOf('web_search_tool_result_error'), '*error_code': text })
const searchContent: Shape = (value) => (Array.isArray(value) ? list(foundPage)(value) : failedSearch(value))

const changeReference = {
  tool_reference: object({ type, '*name': text }),
  mcp_tool_reference: object({ type, '*name': text, '*server_name': text }),
  mcp_toolset_reference: object({ type, '*server_name': text }),
}

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
] as const

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

const webSearchFields = {
  type,
  '*name': oneOf('web_search'),
  allowed_callers: list(text),
  allowed_domains: nullable(list(text)),
  blocked_domains: nullable(list(text)),
  cache_control: nullable(cacheControl),
  defer_loading: flag,
  max_uses: nullable(integer(1)),
  strict: flag,
  user_location: nullable(record),
}
const webSearch = object(webSearchFields)
const webSearches = {
  web_search_20250305: webSearch,
  web_search_20260209: webSearch,
  web_search_20260318: object({ ...webSearchFields, response_inclusion: oneOf('full', 'excluded') }),
}

export const toolDefinition: Shape = tagged(
  { custom, ...Object.fromEntries(PROVIDED_TOOLS.map((type) => [type, provided])), ...webSearches },
  'custom',
)

const toolAddition = object({
  ...marked,
  '*tool': tagged({ ...changeReference, tool_definition: object({ type, '*definition': toolDefinition }) }),
})
const toolRemoval = object({ ...marked, '*tool': tagged(changeReference) })

const compaction = object({
  ...marked,
  content: nullable(text),
  encrypted_content: nullable(text),
  signature: nullable(text),
  tool_changes: nullable(list(tagged({ tool_addition: toolAddition, tool_removal: toolRemoval }))),
})

const messageBlocks = {
  text: textBlock,
  image,
  document,
  search_result: searchResult,
  thinking: object({ type, '*thinking': text, '*signature': text }),
  redacted_thinking: object({ type, '*data': text }),
  tool_use: toolUse,
  tool_result: toolResult,
  server_tool_use: toolUse,
  web_search_tool_result: object({
    ...marked,
    '*tool_use_id': text,
    '*content': searchContent,
    caller: nullable(record),
  }),
  web_fetch_tool_result: serverResult,
  code_execution_tool_result: serverResult,
  bash_code_execution_tool_result: serverResult,
  text_editor_code_execution_tool_result: serverResult,
  tool_search_tool_result: serverResult,
  container_upload: object({ ...marked, '*file_id': text }),
  compaction,
}

export const messageBlock = tagged(messageBlocks)

export const messageBlockWithCacheEdits = tagged({
  ...messageBlocks,
  tool_result: referencedToolResult,
  cache_edits: object({ type, '*edits': list(object({ '*type': oneOf('delete'), '*cache_reference': text })) }),
})

export const systemBlock = tagged({ text: textBlock })

export const systemMessageBlock = tagged({ text: textBlock, tool_addition: toolAddition, tool_removal: toolRemoval })
