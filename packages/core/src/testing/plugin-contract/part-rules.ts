import { expect } from 'vitest'
import type { Contribution } from '../../contract/plugin.js'
import type { Need, Pressure } from '../../contract/relief.js'
import { captured } from './captured.js'
import type { PluginRule, PluginUnderTest } from './plugin-under-test.js'
import { PROMPTS, startTalk, talkThrough } from './talk.js'

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/
const PRESSURES: readonly Pressure[] = ['idle', 'high', 'overflow']

const CALM: Pick<Need, 'excess' | 'target' | 'pace' | 'tool'> = {
  excess: 1_000,
  target: 1_000,
  pace: { tokensPerTurn: 1_000, isCold: false, turnsExpected: 50, ttl: '5m', idle: 0 },
  tool: () => undefined,
}

/** What a plugin brings along. */
export const partRules: readonly PluginRule[] = [
  {
    name: 'brings tools with a name that the API takes, a description and a schema that is JSON',
    async check(plugin) {
      for (const { name, description, schema } of (await contributionOf(plugin)).tools ?? []) {
        expect(name).toMatch(TOOL_NAME)
        expect(description.trim(), `the description of ${name}`).not.toBe('')
        expect(JSON.parse(JSON.stringify(schema.json)), `the schema of ${name}`).toEqual(schema.json)
        expect(schema.json, `the schema of ${name}`).toMatchObject({ type: 'object' })
      }
    },
  },
  {
    name: 'gives each tool, section, relief, restorer and command a name of its own',
    async check(plugin) {
      const { tools, prompt, reliefs, restorers, commands } = await contributionOf(plugin)
      for (const named of [tools, prompt, reliefs, restorers, commands]) {
        const names = (named ?? []).map(({ name }) => name)
        expect(names).toEqual([...new Set(names)])
      }
    },
  },
  {
    name: 'writes the same static sections for everyone',
    async check({ create, beside }) {
      const { plugin, given } = captured(create())
      await talkThrough([...(beside?.() ?? []), plugin])
      for (const { contribution, context } of given) {
        for (const section of (contribution.prompt ?? []).filter(({ scope }) => scope === 'static')) {
          const elsewhere = { ...context, sessionId: 'another', cwd: '/elsewhere', now: () => 1 }
          expect(await section.text(elsewhere), section.name).toBe(await section.text(context))
        }
      }
    },
  },
  {
    name: 'changes nothing when its reliefs are asked for an offer',
    async check({ create, beside }) {
      const { plugin, given } = captured(create())
      const { session, model, say, requests, log } = await startTalk([...(beside?.() ?? []), plugin])
      for (const prompt of PROMPTS) await say(prompt)
      const before = { rounds: JSON.stringify(session.view().rounds), version: session.view().version }
      const sent = requests.length
      for (const relief of given[0]?.contribution.reliefs ?? []) {
        for (const pressure of PRESSURES) {
          const { signal } = new AbortController()
          await relief.offer(session.view(), { ...CALM, pressure, signal, model })
        }
      }
      const after = { rounds: JSON.stringify(session.view().rounds), version: session.view().version }
      expect(after).toEqual(before)
      expect(requests.length).toBe(sent)
      await log()
    },
  },
]

async function contributionOf({ create, beside }: PluginUnderTest): Promise<Contribution> {
  const { plugin, given } = captured(create())
  // Core refuses some of it by itself: what setup gave is there all the same.
  await startTalk([...(beside?.() ?? []), plugin]).then(
    ({ session }) => session.close(),
    () => undefined,
  )
  const [first] = given
  expect(first, 'what setup gave').toBeDefined()
  return first?.contribution ?? {}
}
