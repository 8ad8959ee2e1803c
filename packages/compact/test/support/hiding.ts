import { type Block, definePlugin, type Plugin } from '@nacre/core'

/** A plugin that redacts every block that says something secret, once the model has answered. */
export function hiding(secret: string, hidden: (block: Block) => Block): Plugin {
  return definePlugin({
    name: 'hiding',
    setup: () => ({
      hooks: {
        PostModelCall({ view }, context) {
          for (const { id, content } of view.rounds.flatMap(({ entries }) => entries)) {
            for (const [block, said] of content.entries()) {
              const target = { entry: id, block }
              if (view.shows(target) !== 'whole' || !JSON.stringify(said).includes(secret)) continue
              const change = { kind: 'replace' as const, target, content: [hidden(said)], redacts: true as const }
              void context.propose({ reason: 'hide', changes: [change] })
            }
          }
        },
      },
    }),
  })
}
