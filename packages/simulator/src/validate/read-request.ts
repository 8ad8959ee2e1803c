import { invalid } from '../wire/api-error.js'
import { BETA } from '../wire/betas.js'
import { type Block, isRecord, type Message, type MessagesBody, type Role, type Tool } from '../wire/messages.js'
import {
  cacheControl,
  messageBlock,
  messageBlockWithCacheEdits,
  systemBlock,
  systemMessageBlock,
  toolDefinition,
} from './block-shapes.js'
import {
  anything,
  between,
  type Fields,
  firstProblem,
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
  textUpTo,
} from './shape.js'

/** What decides which fields a request may have. */
export interface Dialect {
  readonly endpoint: 'messages' | 'count_tokens'
  readonly version: '2023-06-01' | '2026-10-21'
  readonly betas: ReadonlySet<string>
  readonly cacheEdits: boolean
}

/** Parses a body and checks its fields. What comes out has one form whatever shorthand came in. */
export function readRequest(source: string, dialect: Dialect): MessagesBody {
  const parsed = parseJson(source)
  if (isRecord(parsed) && parsed.compaction != null && !dialect.betas.has(BETA.onDemandCompaction)) {
    throw invalid(`compaction: this parameter requires anthropic-beta: ${BETA.onDemandCompaction}`)
  }
  const found = firstProblem(requestShape(dialect), parsed)
  if (found) throw invalid(found)
  return normalize(parsed as RawBody)
}

/** The value that a body holds; what is no JSON is refused in the API's words. */
export function parseJson(source: string): unknown {
  try {
    const half = halfPairAt(source)
    if (half !== undefined) throw new Error(`no low surrogate in string: line 1 column ${half + 1} (char ${half})`)
    return JSON.parse(source)
  } catch (error) {
    throw invalid(`The request body is not valid JSON: ${(error as Error).message}`)
  }
}

const ESCAPE = /\\(?:u([0-9a-f]{4})|.)/gis

/** Where half of a surrogate pair stands by itself: JavaScript's parser takes it, that of the API does not. */
function halfPairAt(source: string): number | undefined {
  // Whole pairs are hardly ever written as escapes, so that most bodies are not gone through.
  if (!/\\ud[89a-f]/i.test(source)) return undefined
  let high: number | undefined
  for (const { 0: written, 1: digits = '', index } of source.matchAll(ESCAPE)) {
    const isLow = /^d[c-f]/i.test(digits)
    if (high !== undefined && !(isLow && index === high + written.length)) return high
    if (isLow && high === undefined) return index
    high = /^d[89ab]/i.test(digits) ? index : undefined
  }
  return high
}

type RawContent = string | readonly Block[]

interface RawBody extends Omit<MessagesBody, 'messages' | 'system' | 'tools'> {
  readonly messages: readonly (Omit<Message, 'content'> & { readonly role: Role; readonly content?: RawContent })[]
  readonly system?: RawContent | null
  readonly tools?: readonly Tool[] | null
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/** The body was parsed for us alone, so it is changed in place: copies of large ones would cost more than the checks. */
function normalize(raw: Writable<RawBody>): MessagesBody {
  raw.max_tokens ??= 0
  raw.tools ??= []
  raw.system = blocksOf(raw.system ?? [])
  for (const message of raw.messages as Writable<RawBody['messages'][number]>[]) {
    if (!Array.isArray(message.content)) message.content = blocksOf(message.content ?? [])
  }
  return raw as MessagesBody
}

function blocksOf(content: RawContent): readonly Block[] {
  if (typeof content !== 'string') return content
  return content === '' ? [] : [{ type: 'text', text: content }]
}

const shapes = new Map<string, Shape>()

/** The shape of a whole body, made once for each dialect. */
function requestShape(dialect: Dialect): Shape {
  const betas = dialect.betas.size === 0 ? '' : [...dialect.betas].sort().join()
  const key = `${dialect.endpoint},${dialect.version},${dialect.cacheEdits},${betas}`
  const known = shapes.get(key)
  if (known) return known
  const shape = object({
    ...sharedFields(dialect),
    ...(dialect.endpoint === 'messages' && createFields),
    ...(dialect.endpoint === 'messages' && dialect.version === '2023-06-01' && samplingFields),
  })
  // Betas are a closed list, but their combinations are many: a client that tries them all must not fill the memory.
  if (shapes.size > 500) shapes.clear()
  shapes.set(key, shape)
  return shape
}

const createFields: Fields = {
  '*max_tokens': integer(0),
  stop_sequences: nullable(list(text)),
  stream: nullable(flag),
  metadata: nullable(object({ user_id: nullable(textUpTo(512)) })),
  service_tier: nullable(oneOf('auto', 'standard_only')),
  inference_geo: nullable(text),
  container: nullable(textOr(record)),
  diagnostics: nullable(object({ previous_message_id: nullable(text) })),
}

const samplingFields: Fields = {
  temperature: nullable(between(0, 1)),
  top_p: nullable(between(0, 1)),
  top_k: nullable(integer(0)),
}

const EFFORTS = oneOf('low', 'medium', 'high', 'xhigh', 'max')
const MAX_MESSAGES = 100_000
const positive = integer(1)

function sharedFields(dialect: Dialect): Fields {
  const { betas } = dialect
  return {
    '*model': text,
    '*messages': list(messageShape(dialect), MAX_MESSAGES),
    system: nullable(textOr(list(systemBlock))),
    tools: nullable(list(toolDefinition)),
    tool_choice: nullable(toolChoice),
    thinking: nullable(thinkingShape(betas)),
    output_config: nullable(
      object({
        effort: nullable(EFFORTS),
        format: nullable(object({ '*type': oneOf('json_schema'), '*schema': record })),
        ...(betas.has(BETA.taskBudgets) && {
          task_budget: nullable(
            object({ '*type': oneOf('tokens'), '*total': positive, remaining: nullable(integer(0)) }),
          ),
        }),
      }),
    ),
    cache_control: nullable(cacheControl),
    speed: nullable(oneOf('standard', 'fast')),
    ...betaFields(betas),
  }
}

const toolChoice = tagged({
  auto: object({ type: anything, disable_parallel_tool_use: flag }),
  any: object({ type: anything, disable_parallel_tool_use: flag }),
  tool: object({ type: anything, '*name': text, disable_parallel_tool_use: flag }),
  none: object({ type: anything }),
})

function thinkingShape(betas: ReadonlySet<string>): Shape {
  const displays = ['summarized', 'omitted', ...(betas.has(BETA.thinkingUpdates) ? ['updates'] : [])]
  const shared: Fields = {
    type: anything,
    display: nullable(oneOf(...displays)),
    ...(betas.has(BETA.thinkingBinding) && {
      block_binding: nullable(object({ prefix_mismatch_behavior: nullable(oneOf('error', 'drop_block')) })),
    }),
  }
  return tagged({
    adaptive: object(shared),
    enabled: object({ ...shared, '*budget_tokens': integer(1024) }),
    disabled: object({ type: anything }),
    between_tools: object({ type: anything }),
  })
}

function messageShape({ betas, cacheEdits }: Dialect): Shape {
  const blocks = cacheEdits ? messageBlockWithCacheEdits : messageBlock
  const spoken = object({ '*role': anything, '*content': textOr(list(blocks)) })
  const system = object({
    '*role': anything,
    [betas.has(BETA.systemOutputConfig) ? 'content' : '*content']: textOr(
      list(betas.has(BETA.toolChanges) ? systemMessageBlock : systemBlock),
    ),
    ...(betas.has(BETA.systemClearAt) && { clear_at: nullable(oneOf('next_user_message', 'never')) }),
    ...(betas.has(BETA.systemOutputConfig) && { output_config: nullable(object({ effort: nullable(EFFORTS) })) }),
  })
  const role = oneOf('user', 'assistant', 'system')
  return (value) => {
    if (!isRecord(value) || value.role === undefined) return spoken(value)
    const found = role(value.role)
    if (found) return { path: ['role'], message: found.message }
    return value.role === 'system' ? system(value) : spoken(value)
  }
}

function betaFields(betas: ReadonlySet<string>): Fields {
  return {
    ...((betas.has(BETA.contextManagement) || betas.has(BETA.thresholdCompaction)) && {
      context_management: nullable(contextEdits(betas)),
    }),
    ...(betas.has(BETA.onDemandCompaction) && {
      compaction: nullable(object({ '*type': oneOf('summarize'), instructions: nullable(textUpTo(16_384)) })),
    }),
    ...(betas.has(BETA.threads) && { thread: nullable(record) }),
  }
}

const inputTokens = object({ '*type': oneOf('input_tokens'), '*value': positive })
const toolUses = object({ '*type': oneOf('tool_uses'), '*value': integer(0) })
const trigger = tagged({ input_tokens: inputTokens, tool_uses: object({ '*type': anything, '*value': positive }) })

const thinkingTurns = tagged({
  thinking_turns: object({ type: anything, '*value': positive }),
  all: object({ type: anything }),
})

function contextEdits(betas: ReadonlySet<string>): Shape {
  const clearing = betas.has(BETA.contextManagement) && {
    clear_tool_uses_20250919: object({
      type: anything,
      trigger: nullable(trigger),
      keep: nullable(toolUses),
      clear_at_least: nullable(inputTokens),
      exclude_tools: nullable(list(text)),
      clear_tool_inputs: nullable((value) => (typeof value === 'boolean' ? undefined : list(text)(value))),
    }),
    clear_thinking_20251015: object({
      type: anything,
      keep: (value) => (typeof value === 'string' ? oneOf('all')(value) : thinkingTurns(value)),
    }),
  }
  const compacting = betas.has(BETA.thresholdCompaction) && {
    compact_20260112: object({
      type: anything,
      trigger: nullable(object({ '*type': oneOf('input_tokens'), '*value': integer(50_000) })),
      pause_after_compaction: flag,
      instructions: nullable(text),
    }),
  }
  return object({ edits: nullable(list(tagged({ ...clearing, ...compacting }))) })
}
