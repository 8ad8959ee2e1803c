import type { PromptSection, SetupContext } from '../contract/plugin.js'
import type { Tool } from '../contract/tool.js'
import type { Epoch } from '../log/edit.js'
import type { Block, Json } from '../log/entry.js'

/** A section or a tool, with the plugin it comes from. */
export interface Named {
  readonly name: string
  readonly owner: string
}

/** System and tool bytes, and who stands behind each of them. */
export interface Composition {
  readonly epoch: Epoch
  readonly sections: readonly (Named & { readonly scope: PromptSection['scope'] })[]
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
  const written = await Promise.all(ordered.map(({ section, context }) => section.text(context)))
  const system: Block[] = []
  const named: Composition['sections'][number][] = []
  for (const [index, text] of written.entries()) {
    const { owner, section } = ordered[index] as OwnedSection
    if (!text?.trim()) continue
    system.push({ type: 'text', text })
    named.push({ name: section.name, owner, scope: section.scope })
  }
  return {
    epoch: { system, tools: tools.map(({ tool }) => toolBytes(tool)) },
    sections: named,
    tools: tools.map(({ owner, tool }) => ({ owner, name: tool.name })),
  }
}

/** A tool as it is sent. */
export function toolBytes({ name, description, schema }: Tool): Json {
  return { name, description, input_schema: schema.json }
}
