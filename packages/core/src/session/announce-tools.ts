import type { Note } from '../log/edit.js'
import { toolBytes } from '../prompt/compose-epoch.js'
import type { Runtime } from './runtime.js'

/**
 * Brings in tools that a session did not begin with, where the model takes them in the middle of a conversation; with
 * other models they come with the next fold.
 */
export async function announceTools({ kit, seat, conversation, told }: Runtime): Promise<void> {
  if (!seat.model().info.can.has('tool-changes')) return
  const names = new Set(conversation.epoch().tools.map((tool) => (tool as { readonly name?: string }).name))
  // A deferred one waits until it is asked for.
  const others = kit.tools().filter(({ tool }) => !tool.isDeferred && !names.has(tool.name))
  if (others.length === 0) return
  const known = broughtIn(conversation.rendering().messages)
  for (const { owner, tool } of others.filter(({ tool }) => !known.has(tool.name))) {
    const note: Note = { text: `The tool ${tool.name} is available now.`, trust: 'runtime', tool: toolBytes(tool) }
    await told.edit({ owner, reason: 'a tool came in', changes: [{ kind: 'insert', note }] })
  }
}

type Messages = ReturnType<Runtime['conversation']['rendering']>['messages']

function broughtIn(messages: Messages): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { role, blocks } of messages) {
    if (role !== 'system') continue
    for (const { block } of blocks) {
      const { definition } = (block.tool ?? {}) as { readonly definition?: { readonly name: string } }
      if (definition) names.add(definition.name)
    }
  }
  return names
}
