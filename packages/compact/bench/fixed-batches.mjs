import { definePlugin } from '@nacre/core'

/** Any offer that claims it pays, and one that claims so never does. */
const [PAYS, NEVER] = [
  { frees: 1e12, dollars: 0 },
  { frees: 1, dollars: 1e9 },
]
const SHORTEST = 400

/**
 * Clears all compactable results but the last ones as soon as `batch` more than those have come, whatever it costs. With
 * a batch of 1 that is clearing at every chance. Until then it offers what would go and claims a price that nobody pays,
 * so that the cache is kept up to there, as it is for a plugin that lets the money model decide.
 * @param {{ batch: number, keep?: number }} options
 */
export function fixedBatches({ batch, keep = 3 }) {
  return definePlugin({
    name: 'fixed-batches',
    setup: () => ({
      reliefs: [
        {
          name: 'fixed-batches',
          rung: 'clear',
          offer(view, need) {
            const old = clearable(view, need).slice(0, -keep)
            const [first] = old
            const last = old.at(-1)
            if (!first || !last) return undefined
            const claim = old.length >= batch ? PAYS : NEVER
            const span = { from: first.round.from, to: last.round.to }
            return { span, ...claim, draft: () => ({ reason: 'a batch is full', changes: old.map(cleared) }) }
          },
        },
      ],
    }),
  })
}

/** Results that are whole, long enough to be worth it, and of a tool that lets them go. */
function clearable(view, need) {
  const names = new Map()
  const found = []
  for (const { span, entries } of view.rounds) {
    for (const entry of entries) {
      entry.content.forEach((block, index) => {
        if (block.type === 'tool_use') names.set(block.id, block.name)
        if (block.type !== 'tool_result') return
        const target = { entry: entry.id, block: index }
        const size = JSON.stringify(block.content ?? '').length
        const isCompactable = need.tool(names.get(block.tool_use_id))?.isCompactable
        if (isCompactable && size > SHORTEST && view.shows(target) === 'whole')
          found.push({ target, block, size, round: span })
      })
    }
  }
  return found
}

function cleared({ target, block, size }) {
  const note = [{ type: 'text', text: `[A result of ${size} characters was cleared.]` }]
  return { kind: 'replace', target, content: [{ ...block, content: note }] }
}
