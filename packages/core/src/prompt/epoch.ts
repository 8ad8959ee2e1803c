import { messageOf, NacreError, shown } from '../errors.js'
import { hashOf, hashText } from '../hash.js'
import type { RenderedMessage } from '../request/user-turn.js'
import { isDeferred } from '../tokens/estimate.js'
import type { Block, Epoch, Json, Rule } from '../types/log.js'
import type { ModelInfo } from '../types/model.js'
import type { PromptSection, SetupContext } from '../types/plugin.js'
import type { Tool } from '../types/tool.js'
import { wellFormed } from '../well-formed.js'

/** A section or a tool, with the plugin it comes from. */
export interface Named {
  readonly name: string
  readonly owner: string
}

interface ComposedSection extends Named {
  readonly scope: PromptSection['scope']
  readonly rules?: readonly Rule[]
}

/** System and tool bytes, and who stands behind each of them. */
export interface Composition {
  readonly epoch: Epoch
  readonly sections: readonly ComposedSection[]
  readonly tools: readonly Named[]
}

export interface OwnedSection {
  readonly owner: string
  readonly section: PromptSection
  readonly context: SetupContext
}

export interface OwnedTool {
  readonly owner: string
  readonly tool: Tool
}

const SCOPES = ['static', 'session'] as const

/** Puts the system prompt and the tools together: what is the same for everyone comes first. */
export async function composeEpoch(
  sections: readonly OwnedSection[],
  tools: readonly OwnedTool[],
): Promise<Composition> {
  const ordered = SCOPES.flatMap((scope) => sections.filter(({ section }) => section.scope === scope))
  const written = await Promise.all(ordered.map(write))
  const system: Block[] = []
  const named: ComposedSection[] = []
  for (const { text, section } of written) {
    if (!text?.trim()) continue
    system.push({ type: 'text', text: wellFormed(text) })
    named.push(section)
  }
  return {
    epoch: { system, tools: acceptableTools(tools.map(({ tool }) => toolBytes(tool))) },
    sections: named,
    tools: tools.map(({ owner, tool }) => ({ owner, name: tool.name })),
  }
}

async function write({ owner, section, context }: OwnedSection) {
  const { name, scope } = section
  const failed = (why: string, cause?: unknown) =>
    new NacreError('PLUGIN_SETUP_FAILED', `Plugin '${owner}' could not write its section '${name}': ${why}`, {
      plugin: owner,
      cause,
    })
  const given: unknown = await (async () => section.text(context))().catch((error: unknown) => {
    throw failed(messageOf(error), error)
  })
  const text = given ?? undefined
  if (text !== undefined && typeof text !== 'string') throw failed(`it gave ${shown(text)} and no text.`)
  const rules = section.rules?.() ?? []
  return { text, section: { name, owner, scope, ...(rules.length > 0 && { rules }) } }
}

/** A tool as it is sent. */
export function toolBytes({ name, description, schema, isDeferred, server }: Tool): Json {
  if (server) {
    const { type, ...rest } = server
    return { type, name, ...rest }
  }
  return wellFormed({ name, description, input_schema: schema.json, ...(isDeferred && { defer_loading: true }) })
}

/** Whether a tool, as it is sent, is run by the server. */
function isRunByServer(tool: Json): boolean {
  return typeof (tool as { readonly type?: Json }).type === 'string'
}

/** The tools for a model: a session that has gone over to one whose server runs none leaves those out. */
export function toolsFor({ can }: Pick<ModelInfo, 'can'>, { tools }: Epoch): readonly Json[] {
  return can.has('server-tools') || !tools.some(isRunByServer) ? tools : tools.filter((tool) => !isRunByServer(tool))
}

function toolName(tool: Json): string | undefined {
  return (tool as { readonly name?: string }).name
}

/** The API takes deferred tools only beside one that is not: without one, none is deferred. */
function acceptableTools(tools: readonly Json[]): readonly Json[] {
  if (!tools.every(isDeferred)) return tools
  return tools.map((tool) => {
    const { defer_loading: _, ...whole } = tool as { readonly [field: string]: Json }
    return whole
  })
}

/** The tools that a block of a message brings into the prompt, by name. */
function referencesIn({ type, content }: Block): readonly string[] {
  if (type !== 'tool_result' || !Array.isArray(content)) return []
  return (content as readonly Block[]).flatMap(({ type, tool_name }) =>
    type === 'tool_reference' ? [String(tool_name)] : [],
  )
}

/**
 * The content of a result, with words for each reference to a tool that the request does not begin with: the API would
 * refuse this request and all that follow.
 */
export function knownReferences(content: readonly Block[], { tools }: Epoch): readonly Block[] {
  if (!content.some(({ type }) => type === 'tool_reference')) return content
  const names = new Set(tools.map(toolName))
  return content.map((block) => {
    if (block.type !== 'tool_reference' || names.has(String(block.tool_name))) return block
    return { type: 'text', text: `The tool ${block.tool_name} is new: it can be called once it has been announced.` }
  })
}

/**
 * A composition with those tools of the one before that something in view refers to and nobody brings any more: a call
 * of one is answered with words, a reference to one that is not sent is refused.
 */
export function keepReferenced(
  next: Composition,
  before: Composition,
  messages: readonly RenderedMessage[],
): Composition {
  const lost = new Set(messages.flatMap(({ blocks }) => blocks.flatMap(({ block }) => referencesIn(block))))
  for (const tool of next.epoch.tools) lost.delete(String(toolName(tool)))
  if (lost.size === 0) return next
  const kept = before.epoch.tools.flatMap((bytes, index): { bytes: Json; named: Named }[] => {
    const name = String(toolName(bytes))
    return lost.has(name) ? [{ bytes, named: { owner: before.tools[index]?.owner ?? 'session', name } }] : []
  })
  return {
    ...next,
    epoch: { ...next.epoch, tools: acceptableTools([...next.epoch.tools, ...kept.map(({ bytes }) => bytes)]) },
    tools: [...next.tools, ...kept.map(({ named }) => named)],
  }
}

/** Tells who stands behind system and tool bytes, whichever of a session's epochs is in force. */
export interface Compositions {
  add(composition: Composition): void
  of(epoch: Epoch): Composition
  all(): readonly Composition[]
}

export function createCompositions(): Compositions {
  const known = new Map<string, Composition>()
  /** The same object for the same epoch: what is worked out from it is worked out once. */
  const named = new WeakMap<Epoch, Composition>()
  const unnamed = (owner: Named['owner'], count: number) =>
    Array.from({ length: count }, (_, index) => ({ owner, name: String(index), scope: 'static' as const }))
  const find = (epoch: Epoch): Composition => {
    const found = known.get(epochKey(epoch))
    if (found) return { ...found, epoch }
    return { epoch, sections: unnamed('session', epoch.system.length), tools: unnamed('session', epoch.tools.length) }
  }
  return {
    add(composition) {
      known.set(epochKey(composition.epoch), composition)
      named.delete(composition.epoch)
    },
    all: () => [...known.values()],
    of(epoch) {
      const composition = named.get(epoch) ?? find(epoch)
      named.set(epoch, composition)
      return composition
    },
  }
}

const keys = new WeakMap<Epoch, string>()

export function epochKey(epoch: Epoch): string {
  const known = keys.get(epoch)
  if (known !== undefined) return known
  const key = hashText([...epoch.system, ...(epoch.tools as object[])].map(hashOf).join())
  keys.set(epoch, key)
  return key
}
