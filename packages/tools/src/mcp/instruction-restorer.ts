import type { Restored, Restorer } from '@nacre/core'
import { readState } from './mcp-state.js'
import type { ServerConnection } from './server-connection.js'
import { framedInstructions } from './server-words.js'
import { TOOL_SEARCH } from './tool-search.js'

/**
 * Brings back what a fold in the middle takes away: instructions that came as notes, and tools that were found. A fold
 * from the start of the view makes the system prompt and the tools anew, so there is nothing to bring back. Always for
 * reference: words of a server are never an order.
 */
export function instructionRestorer(connections: readonly ServerConnection[]): Restorer {
  return {
    name: 'mcp',
    restore({ view, folded }) {
      if (view.rounds[0]?.span.from === folded.from) return []
      const instructions = connections.flatMap((connection): Restored[] => {
        const text = framedInstructions(connection)
        return text ? [{ what: `instructions of MCP server ${connection.name}`, text, status: 'reference' }] : []
      })
      const found = readState(view, 'found') ?? []
      if (found.length === 0) return instructions
      const text = `Found by ${TOOL_SEARCH} before. One that is not at hand any more is found again by select:${found.join(',')}`
      return [...instructions, { what: 'tools of MCP servers', text, status: 'reference' }]
    },
  }
}
