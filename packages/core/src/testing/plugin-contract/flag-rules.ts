import { expect } from 'vitest'
import { isNacreError } from '../../nacre-error.js'
import type { PluginRule } from './plugin-under-test.js'
import { PROMPTS, startTalk, talkThrough } from './talk.js'

const [FIRST = '', ...REST] = PROMPTS

/** On and off. */
export const flagRules: readonly PluginRule[] = [
  {
    name: 'adds no tool, no section and nothing else to a request when it is off',
    async check({ create, beside }) {
      const without = await talkThrough(beside?.() ?? [])
      const plugin = create()
      const off = await talkThrough([...(beside?.() ?? []), plugin], { flags: { [plugin.name]: false } })
      expect(off.requests).toEqual(without.requests)
    },
  },
  {
    name: 'writes nothing more once it is switched off in a session',
    async check({ create, beside }) {
      const plugin = create()
      let isOff = false
      const live = (name: string) => (isOff && name === plugin.name ? false : undefined)
      const talk = await startTalk([...(beside?.() ?? []), plugin], { live })
      await talk.say(FIRST)
      isOff = true
      for (const prompt of REST) await talk.say(prompt)
      const entries = await talk.log()
      const second = entries.findIndex(
        ({ kind, ...entry }) => kind === 'user' && JSON.stringify(entry).includes(`${REST[0]}`),
      )
      const late = entries.slice(second).filter((entry) => 'owner' in entry && entry.owner === plugin.name)
      expect(late).toEqual([])
      expect(talk.ends).toEqual(PROMPTS.map(() => 'done'))
    },
  },
  {
    name: 'works with each of its flags the other way round',
    async check({ create, beside }) {
      for (const [flag, value] of Object.entries(create().flags ?? {})) {
        const plugin = create()
        const flags = { [`${plugin.name}.${flag}`]: !value }
        const { ends, reports } = await talkThrough([...(beside?.() ?? []), plugin], { flags })
        expect({ flag, ends, reports }).toEqual({ flag, ends: PROMPTS.map(() => 'done'), reports: [] })
      }
    },
  },
  {
    name: 'has no other flags: an unknown one is an error that names it',
    async check({ create, beside }) {
      const plugin = create()
      const name = `${plugin.name}.no-flag-is-called-so`
      const start = startTalk([...(beside?.() ?? []), plugin], { flags: { [name]: true } })
      const error = await start.catch((reason: unknown) => reason)
      expect(isNacreError(error, 'UNKNOWN_FLAG') && error.message).toContain(name)
    },
  },
]
