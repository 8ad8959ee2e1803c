import { definePlugin } from '@nacre/core'

/** Core judges an offer by what it claims to free and to cost: one of these always pays, the other never does. */
const [PAYS, NEVER] = [
  { frees: 1e12, dollars: 0 },
  { frees: 1, dollars: 1e9 },
]
const SHORTEST = 400
const KEPT = 3

/**
 * Clears all compactable results but the last three at every chance, whatever it costs, as one does who looks at sizes
 * only.
 */
export function everyChance() {
  return definePlugin({
    name: 'every-chance',
    setup: () => ({
      reliefs: [
        {
          name: 'every-chance',
          rung: 'clear',
          offer(view, need) {
            const old = clearable(view, need).slice(0, -KEPT)
            const [first] = old
            const last = old.at(-1)
            if (!first || !last) return undefined
            const span = { from: first.round.from, to: last.round.to }
            return { span, ...PAYS, draft: () => ({ reason: 'there was a chance', changes: old.map(cleared) }) }
          },
        },
      ],
    }),
  })
}

/**
 * The plugin with one thing changed: what it offers to clear is taken as soon as it is `batch` results, and never before.
 * Until then the cache is kept up to there, as it is while the money model says no.
 * @param {import('@nacre/core').Plugin} plugin
 * @param {number} batch
 * @returns {import('@nacre/core').Plugin}
 */
export function withFixedBatches(plugin, batch) {
  return {
    ...plugin,
    async setup(context) {
      const contribution = await plugin.setup(context)
      const reliefs = contribution.reliefs?.map((relief) => (relief.rung === 'clear' ? fixed(relief, batch) : relief))
      const parts = Object.getOwnPropertyDescriptors(contribution)
      return Object.defineProperties({}, { ...parts, reliefs: { value: reliefs, enumerable: true } })
    },
  }
}

function fixed(relief, batch) {
  return {
    ...relief,
    async offer(view, need) {
      const offer = await relief.offer(view, need)
      if (!offer || need.pressure !== 'idle') return offer
      const ids = view.rounds.flatMap(({ entries }) => entries.map(({ id }) => id))
      const [from, to] = [ids.indexOf(offer.span.from), ids.indexOf(offer.span.to)]
      const isInside = ({ target }) => ids.indexOf(target.entry) >= from && ids.indexOf(target.entry) <= to
      return { ...offer, ...(clearable(view, need).filter(isInside).length >= batch ? PAYS : NEVER) }
    },
  }
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
