import { late } from '../async/late.js'
import type { PromptSection, SetupContext } from '../contract/plugin.js'
import type { Tool } from '../contract/tool.js'
import type { Epoch, Rule } from '../log/edit.js'
import type { Block, Json } from '../log/entry.js'

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
    system.push({ type: 'text', text })
    named.push(section)
  }
  return {
    epoch: { system, tools: await bytesOf(tools) },
    sections: named,
    tools: tools.map(({ owner, tool }) => ({ owner, name: tool.name })),
  }
}

const deferring = late(() => import('./deferred-tools.js'))

async function bytesOf(tools: readonly OwnedTool[]): Promise<readonly Json[]> {
  const bytes = tools.map(({ tool }) => toolBytes(tool))
  if (!tools.some(({ tool }) => tool.isDeferred)) return bytes
  return (await deferring()).acceptableTools(bytes)
}

async function write({ owner, section, context }: OwnedSection) {
  const { name, scope } = section
  const text = await section.text(context)
  const rules = section.rules?.() ?? []
  return { text, section: { name, owner, scope, ...(rules.length > 0 && { rules }) } }
}

/** A tool as it is sent. */
export function toolBytes({ name, description, schema, isDeferred }: Tool): Json {
  return { name, description, input_schema: schema.json, ...(isDeferred && { defer_loading: true }) }
}
