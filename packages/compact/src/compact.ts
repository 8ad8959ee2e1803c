import { definePlugin, type Plugin } from '@nacre/core'
import { clearing } from './clear/clear.js'
import { idleClearing } from './clear/idle.js'
import { collapse } from './collapse/collapse.js'
import { digest } from './digest/digest.js'
import { erasing } from './erase/erase.js'
import { type CompactOptions, type Layer, readSettings } from './layer/layer.js'
import { recall } from './recall/recall-tool.js'
import { receipts } from './receipt/receipts.js'
import { snip } from './snip/snip.js'
import { summaries } from './summary/summaries.js'

/** In this order they are asked, and their tools and commands are listed. */
const LAYERS: readonly Layer[] = [erasing, idleClearing, clearing, summaries, digest, recall, snip, collapse, receipts]

/**
 * Layers 2 and 4: old results are cleared, then the past is folded, each time the cheapest way that loses the least. The
 * first of the list is the switch of all; each of the others is a layer of its own.
 */
export function compact(options: CompactOptions = {}): Plugin[] {
  const settings = readSettings(options)
  return [
    definePlugin({ name: 'compact', scope: 'sessions', setup: () => ({}) }),
    ...LAYERS.map((layer) => layer(settings)),
  ]
}
