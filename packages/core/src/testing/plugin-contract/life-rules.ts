import { expect } from 'vitest'
import { captured } from './captured.js'
import type { PluginRule } from './plugin-under-test.js'
import { PROMPTS, talkThrough } from './talk.js'

/** From setup to dispose. */
export const lifeRules: readonly PluginRule[] = [
  {
    name: 'works with nothing but core and what it requires',
    async check({ create, beside }) {
      const { ends, reports } = await talkThrough([...(beside?.() ?? []), create()])
      expect(ends).toEqual(PROMPTS.map(() => 'done'))
      expect(reports.map(({ message }) => message)).toEqual([])
    },
  },
  {
    name: 'is disposed with its session, and does no harm when that happens twice',
    async check({ create, beside }) {
      const { plugin, given } = captured(create())
      const { session, reports } = await talkThrough([...(beside?.() ?? []), plugin])
      await session.close()
      for (const { contribution } of given) await contribution.dispose?.()
      expect(reports.map(({ message }) => message)).toEqual([])
    },
  },
]
