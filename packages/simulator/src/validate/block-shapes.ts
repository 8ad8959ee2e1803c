import { cacheControl } from './cache-control-shape.js'
import {
  anything,
  flag,
  integer,
  list,
  nullable,
  object,
  oneOf,
  record,
  type Shape,
  tagged,
  text,
  textOr,
} from './shape.js'
import { toolDefinition } from './tool-shapes.js'

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

const toolResult: Shape = object({
  ...marked,
  '*tool_use_id': text,
  content: textOr(list(resultContent)),
  is_error: nullable(flag),
  toolset_name: nullable(text),
})
/** The form that results take when the `cache_edits` extension is on. */
const referencedToolResult: Shape = object({
  ...marked,
  '*tool_use_id': text,
  content: textOr(list(resultContent)),
  is_error: nullable(flag),
  cache_reference: text,
})

const toolUse = object({ ...marked, '*id': text, '*name': text, '*input': record, caller: nullable(record) })
const serverResult = object({ ...marked, '*tool_use_id': text, '*content': anything, caller: nullable(record) })

const changeReference = {
  tool_reference: object({ type, '*name': text }),
  mcp_tool_reference: object({ type, '*name': text, '*server_name': text }),
  mcp_toolset_reference: object({ type, '*server_name': text }),
}
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
  web_search_tool_result: serverResult,
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

export const positive = integer(1)
