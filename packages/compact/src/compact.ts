import { type Contribution, definePlugin, type HookContext, type Plugin, type Tool } from '@nacre/core'
import { clearing } from './clear/clearing.js'
import { collapse } from './collapse/collapse.js'
import { digest } from './digest/digest.js'
import { erasing } from './erase/erasing.js'
import { type CompactFlag, FLAGS } from './flags.js'
import type { Layer } from './layer.js'
import { mergeHooks } from './merge-hooks.js'
import type { Parts } from './parts.js'
import { recall } from './recall/recall.js'
import { RECALL } from './recall/recall-name.js'
import { receipts } from './receipt/receipts.js'
import { type CompactOptions, readSettings } from './settings.js'
import { snip } from './snip/snip.js'
import { summaries } from './summary/summaries.js'

const LAYERS: readonly Layer[] = [erasing, clearing, summaries, digest, recall, snip, collapse, receipts]

/** Layers 2 and 4: old results are cleared, then the past is folded, each time the cheapest way that loses the least. */
export function compact(options: CompactOptions = {}): Plugin<CompactFlag> {
  const settings = readSettings(options)
  return definePlugin({
    name: 'compact',
    flags: FLAGS,
    setup({ store, model, flag, now }): Contribution {
      let context: HookContext | undefined
      const parts: Parts = {
        settings,
        store,
        model,
        flag,
        now,
        recall: () => (flag('recall') ? RECALL : undefined),
        context: () => context,
      }
      const layers = LAYERS.map((layer) => layer(parts))
      let tools: readonly Tool[] = []
      return {
        reliefs: layers.flatMap(({ reliefs = [] }) => reliefs),
        // Tools come and go with their flags. The same list while nothing has changed: whoever looks compares lists.
        get tools() {
          const now = layers.flatMap((layer) => layer.tools ?? [])
          if (now.length !== tools.length || now.some((tool, index) => tool !== tools[index])) tools = now
          return tools
        },
        commands: layers.flatMap(({ commands = [] }) => commands),
        hooks: {
          ...mergeHooks(layers.map(({ hooks = {} }) => hooks)),
          SessionStart: (_event, given) => {
            context = given
          },
        },
      }
    },
  })
}
