import type { BlockRef, Change } from '../../src/types/log.js'
import { definePlugin } from '../../src/types/plugin.js'
import type { Offer } from '../../src/types/relief.js'
import type { View } from '../../src/types/view.js'

const CLEARED = '(cleared)'

/** Clears old results when the context is high, as a layer would. */
export const clearing = definePlugin({
  name: 'clearing',
  setup: () => ({
    reliefs: [{ name: 'clearing', rung: 'clear', offer: (view) => clearOffer(view) }],
  }),
})

function clearOffer(view: View): Offer | undefined {
  const rounds = view.rounds.slice(0, -2)
  const targets = rounds.flatMap(({ entries }) => entries.flatMap((entry) => resultsOf(entry.id, entry.content, view)))
  const [first] = targets
  const last = rounds.at(-1)
  if (!first || !last) return undefined
  const frees = targets.reduce((sum, { block }) => sum + JSON.stringify(block).length / 4, 0)
  const changes = targets.map(({ target, block }): Change => {
    return { kind: 'replace', target, content: [{ ...block, content: [{ type: 'text', text: CLEARED }] }] }
  })
  const span = { from: (rounds[0] as (typeof rounds)[0]).span.from, to: last.span.to }
  return { span, frees, dollars: 0, draft: () => ({ changes, reason: 'old results' }) }
}

type Blocks = View['rounds'][number]['entries'][number]['content']

function resultsOf(entry: string, content: Blocks, view: View) {
  return content.flatMap((block, index): { target: BlockRef; block: Blocks[number] }[] => {
    const target = { entry, block: index }
    const isLong = block.type === 'tool_result' && JSON.stringify(block).length > 2_000
    return isLong && view.shows(target) === 'whole' ? [{ target, block }] : []
  })
}

/** Counts the prompts in the log, notes the count, and brings a tool, a section and a result of its own. */
export const noting = definePlugin({
  name: 'noting',
  flags: { loud: true },
  setup: ({ flag }) => ({
    prompt: [{ name: 'noting', scope: 'session', text: () => 'Notes tell how many tasks there were.' }],
    tools: [
      {
        name: 'recall',
        description: 'Recalls.',
        schema: { json: { type: 'object' }, parse: (input) => input },
        isReadOnly: () => true,
        isConcurrencySafe: () => true,
        run: () => ({ content: [{ type: 'text', text: 'Nothing.' }] }),
      },
    ],
    hooks: {
      UserPromptSubmit: ({ prompt }, { note }) => {
        if (flag('loud'))
          note({ text: `The task has ${JSON.stringify(prompt.content).length} characters.`, trust: 'runtime' })
      },
      PostToolUse: ({ call, value }) =>
        call.name === 'change'
          ? { ...value, content: [...value.content, { type: 'text', text: 'Noted.' }] }
          : undefined,
      PostModelCall: (_event, { note }) => note({ text: 'An answer was given.', trust: 'content', tag: 'noting' }),
    },
  }),
})
