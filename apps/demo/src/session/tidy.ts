import { type Change, definePlugin, type View } from '@nacre/core'

const KEPT = 3

/** The smallest layer that frees context: a command that clears all tool results but the last few. */
export const tidy = definePlugin({
  name: 'tidy',
  setup: () => {
    let view: View | undefined
    return {
      hooks: {
        PostModelCall(event) {
          view = event.view
        },
      },
      commands: [
        {
          name: 'tidy',
          help: 'Clears all tool results but the last three.',
          async run(_args, { propose }) {
            const done = await propose({ reason: 'old results', changes: view ? clears(view) : [] })
            return 'refused' in done ? done.refused : done.id
          },
        },
      ],
    }
  },
})

function clears({ rounds }: View): Change[] {
  const results = rounds.flatMap(({ entries }) =>
    entries.flatMap(({ id, content }) =>
      content.flatMap((block, index) => (block.type === 'tool_result' ? [{ id, index, block }] : [])),
    ),
  )
  return results.slice(0, -KEPT).map(({ id, index, block }) => ({
    kind: 'replace',
    target: { entry: id, block: index },
    content: [{ ...block, content: [{ type: 'text', text: 'Cleared: it was read and is no longer needed.' }] }],
  }))
}
