import { expect } from 'vitest'
import type { PluginRule } from './plugin-under-test.js'
import { talkThrough } from './talk.js'

/** One plugin in several sessions. */
export const sessionRules: readonly PluginRule[] = [
  {
    name: 'shares no state between two sessions',
    async check({ create, beside }) {
      const plugins = [...(beside?.() ?? []), create()]
      const alone = await talkThrough(plugins)
      const together = await Promise.all([talkThrough(plugins), talkThrough(plugins)])
      for (const { requests } of together) expect(requests).toEqual(alone.requests)
    },
  },
]
