import type { Block, BlockRef } from '../../src/types/log.js'
import { definePlugin } from '../../src/types/plugin.js'

/** Takes old results out of the view, one for each overflow. */
export const clearing = definePlugin({
  name: 'clearing',
  setup: () => ({
    reliefs: [
      {
        name: 'clearing',
        rung: 'clear',
        offer(view, { pressure }) {
          if (pressure !== 'overflow') return undefined
          const results = view.rounds
            .slice(0, -1)
            .flatMap(({ entries, span }) =>
              entries.flatMap((entry) =>
                entry.content.map((block, index) => ({ block, span, target: { entry: entry.id, block: index } })),
              ),
            )
          const found = results.find(({ block, target }) => isWhole(view.shows(target), block))
          if (!found) return undefined
          const content = [{ ...found.block, content: [{ type: 'text', text: '.' }] }]
          const change = { kind: 'replace' as const, target: found.target as BlockRef, content }
          return { span: found.span, frees: 1, dollars: 0, draft: () => ({ changes: [change], reason: 'clear' }) }
        },
      },
    ],
  }),
})

function isWhole(shown: string, { type }: Block): boolean {
  return shown === 'whole' && type === 'tool_result'
}
