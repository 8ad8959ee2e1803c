import { NacreError } from '../errors.js'
import type { ResolvedModel } from '../models/resolve-model.js'
import type { Block, Json } from '../types/log.js'
import type { Request } from '../types/model.js'
import { CONTEXT_MANAGEMENT, contextManagement } from './context-management.js'

/** Settings of an adapter that go into every request. */
interface BodyOptions {
  readonly thinking?: Json
  readonly effort?: string
  readonly betas?: readonly string[]
  readonly cacheEdits?: boolean
}

/** What is sent: a body, betas for the header, and who asks. */
export interface Call {
  readonly body: { readonly [field: string]: Json }
  readonly betas: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

const DEFAULT_OUTPUT = 32_000
const SOURCE_HEADER = 'x-nacre-source'
/** Fields of `extra` that are no part of the body. */
const ASIDE: ReadonlySet<string> = new Set(['source', 'betas', 'context_management'])
/** What a request says by itself: a hook that could write over it would change what the log says was sent. */
const OWN: ReadonlySet<string> = new Set(['model', 'max_tokens', 'messages', 'metadata', 'stream', 'system', 'tools'])
const COUNTED: ReadonlySet<string> = new Set([
  'model',
  'system',
  'tools',
  'messages',
  'thinking',
  'output_config',
  'tool_choice',
  'context_management',
  'speed',
])

/** A request as it goes out. System, tools and messages are passed on as they are: they are bytes that a cache knows. */
export function messageCall(request: Request, options: BodyOptions, info: ResolvedModel): Call {
  const { maxTokens, metadata, extra = {} } = request.fields
  const { system, tools } = request.epoch
  const management = contextManagement(request, extra.thinking ?? options.thinking)
  const asked = Object.entries(extra).filter(([name]) => !ASIDE.has(name))
  const own = asked.filter(([, value]) => value !== null)
  const forbidden = asked.find(([name]) => OWN.has(name))?.[0]
  if (forbidden)
    throw new NacreError('INVALID_REQUEST', `extra can not set '${forbidden}': the session says that itself.`)
  const body = {
    model: request.model.replace(/\[1m\]$/, ''),
    max_tokens: maxTokens ?? Math.min(info.maxOutput, DEFAULT_OUTPUT),
    ...(system.length && { system: system as readonly unknown[] as Json }),
    ...(tools.length && { tools }),
    messages: options.cacheEdits ? withReferences(request.messages) : request.messages,
    ...thinkingIn(options, extra.thinking === null, info),
    ...(metadata !== undefined && { metadata }),
    ...Object.fromEntries(own),
    ...(management && { context_management: management }),
    ...(options.effort !== undefined && {
      output_config: { effort: options.effort, ...objectOf(extra.output_config) },
    }),
    stream: true,
  }
  const betas = [
    ...(options.betas ?? []),
    ...(Array.isArray(extra.betas) ? (extra.betas as string[]) : []),
    ...(request.messages.some(addsTool) ? TOOL_CHANGES : []),
    ...(management ? [CONTEXT_MANAGEMENT] : []),
  ]
  const { source } = extra
  return {
    body,
    betas: [...new Set(betas)],
    headers: typeof source === 'string' ? { [SOURCE_HEADER]: source } : {},
  }
}

/** Effort above this takes no word against thinking. */
const QUIET: ReadonlySet<string | undefined> = new Set([undefined, 'low', 'medium', 'high'])

/** Where none is wanted the field is left out, or says so to a model that would think without it. */
function thinkingIn({ thinking, effort }: BodyOptions, isUnwanted: boolean, { can }: ResolvedModel) {
  if (!isUnwanted) return thinking === undefined ? {} : { thinking }
  return can.has('thinking-off') && QUIET.has(effort) ? { thinking: { type: 'disabled' } } : {}
}

/** Betas without which a tool can not come in with its definition in the middle of a conversation. */
const TOOL_CHANGES = ['mid-conversation-tool-changes-2026-07-01', 'inline-tools-2026-09-15']

function addsTool(message: Json): boolean {
  const { role, content } = message as { readonly role: string; readonly content: readonly { type: string }[] }
  return role === 'system' && content.some(({ type }) => type === 'tool_addition')
}

function objectOf(value: Json | undefined): { readonly [field: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { [field: string]: Json })
    : {}
}

/** The same, as the counting endpoint takes it. */
export function countCall(request: Request, options: BodyOptions, info: ResolvedModel): Call {
  const { body, ...rest } = messageCall(request, options, info)
  return { body: Object.fromEntries(Object.entries(body).filter(([name]) => COUNTED.has(name))), ...rest }
}

const known = new WeakMap<object, Json>()

/**
 * Messages with a reference on every result, by which it can be deleted from the cache later. Not public API. A message
 * that was sent before gives the same object again, so that nothing is written twice.
 */
function withReferences(messages: readonly Json[]): readonly Json[] {
  return messages.map((message) => {
    const found = known.get(message as object)
    if (found) return found
    const referenced = refer(message as unknown as Sent) as unknown as Json
    known.set(message as object, referenced)
    return referenced
  })
}

interface Sent {
  readonly content: string | readonly Block[]
}

function refer(message: Sent): Sent {
  const { content } = message
  if (typeof content === 'string' || !content.some(isResult)) return message
  return {
    ...message,
    content: content.map((block) => (isResult(block) ? { ...block, cache_reference: block.tool_use_id } : block)),
  }
}

function isResult({ type }: Block): boolean {
  return type === 'tool_result'
}
