import { isNacreError } from '../errors.js'
import type { Contribution, Plugin, PluginList, SetupContext } from '../types/plugin.js'
import type { Need, Pressure } from '../types/relief.js'
import { PROMPTS, startTalk, talkThrough } from './talk.js'
import { describe, expect, it } from './vitest.js'

/** What every plugin promises to a session, as far as that shows without a server. Call it in a vitest file. */
export function pluginContract(label: string, plugin: PluginUnderTest): void {
  describe(`${label} keeps the contract of a plugin`, () => {
    for (const { name, check } of RULES) it(name, () => check(plugin))
  })
}

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
      const { plugins, given } = captured(create())
      const { session, reports } = await talkThrough([...(beside?.() ?? []), plugins])
      await session.close()
      for (const { contribution } of given) await contribution.dispose?.()
      expect(reports.map(({ message }) => message)).toEqual([])
    },
  },
]

/** On and off. */
export const flagRules: readonly PluginRule[] = [
  {
    name: 'adds no tool, no section and nothing else to a request when it is off',
    async check({ create, beside }) {
      const without = await talkThrough(beside?.() ?? [])
      const { plugins, owners } = captured(create())
      const flags = Object.fromEntries(owners.map((owner) => [owner, false]))
      const off = await talkThrough([...(beside?.() ?? []), plugins], { flags })
      expect(off.requests).toEqual(without.requests)
    },
  },
  {
    name: 'writes nothing more once it is switched off in a session',
    async check({ create, beside }) {
      const { plugins, owners } = captured(create())
      let isOff = false
      const live = (name: string) => (isOff && owners.includes(name) ? false : undefined)
      const talk = await startTalk([...(beside?.() ?? []), plugins], { live })
      await talk.say(FIRST)
      isOff = true
      for (const prompt of REST) await talk.say(prompt)
      const entries = await talk.log()
      const second = entries.findIndex(
        ({ kind, ...entry }) => kind === 'user' && JSON.stringify(entry).includes(`${REST[0]}`),
      )
      const late = entries.slice(second).filter((entry) => 'owner' in entry && owners.includes(entry.owner))
      expect(late).toEqual([])
      expect(talk.ends).toEqual(PROMPTS.map(() => 'done'))
    },
  },
  {
    name: 'works with each of its flags the other way round',
    async check({ create, beside }) {
      const all = listOf(create()).flatMap((plugin) =>
        Object.entries(plugin.flags ?? {}).map(([flag, value]) => [`${ownerOf(plugin)}.${flag}`, value] as const),
      )
      for (const [flag, value] of all) {
        const flags = { [flag]: !value }
        const { ends, reports } = await talkThrough([...(beside?.() ?? []), create()], { flags })
        expect({ flag, ends, reports }).toEqual({ flag, ends: PROMPTS.map(() => 'done'), reports: [] })
      }
    },
  },
  {
    name: 'has no other flags: an unknown one is an error that names it',
    async check({ create, beside }) {
      const { plugins, owners } = captured(create())
      const name = `${owners[0]}.no-flag-is-called-so`
      const start = startTalk([...(beside?.() ?? []), plugins], { flags: { [name]: true } })
      const error = await start.catch((reason: unknown) => reason)
      expect(isNacreError(error, 'UNKNOWN_FLAG') && error.message).toContain(name)
    },
  },
]

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
      const { plugins, given } = captured(create())
      await talkThrough([...(beside?.() ?? []), plugins])
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
      const { plugins, given } = captured(create())
      const { session, model, say, requests, log } = await startTalk([...(beside?.() ?? []), plugins])
      for (const prompt of PROMPTS) await say(prompt)
      const before = { rounds: JSON.stringify(session.view().rounds), version: session.view().version }
      const sent = requests.length
      for (const relief of given.flatMap(({ contribution }) => contribution.reliefs ?? [])) {
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

const RULES = [...lifeRules, ...flagRules, ...partRules, ...sessionRules]

/** Plugins that show what their setups gave. */
interface Captured {
  /** Who stands behind what they write, and so the flags that turn them off. */
  readonly owners: readonly string[]
  readonly plugins: readonly Plugin[]
  readonly given: { readonly contribution: Contribution; readonly context: SetupContext }[]
}

/** The plugins themselves, with their setups looked at. */
function captured(created: Plugin | readonly Plugin[]): Captured {
  const given: Captured['given'] = []
  const plugins = listOf(created).map((plugin) => {
    const setup = async (context: SetupContext) => {
      const contribution = await plugin.setup(context)
      given.push({ contribution, context })
      return contribution
    }
    return Object.create(plugin, { setup: { value: setup } }) as Plugin
  })
  return { owners: [...new Set(plugins.map(ownerOf))], plugins, given }
}

function ownerOf({ name, partOf }: Plugin): string {
  return partOf ?? name
}

function listOf(created: Plugin | readonly Plugin[]): readonly Plugin[] {
  return [created].flat()
}

const [FIRST = '', ...REST] = PROMPTS

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/
const PRESSURES: readonly Pressure[] = ['idle', 'high', 'overflow']

const CALM: Omit<Need, 'pressure' | 'signal' | 'model'> = {
  trigger: 'auto',
  excess: 1_000,
  target: 1_000,
  pace: { tokensPerTurn: 1_000, isCold: false, turnsExpected: 50, ttl: '5m', idle: 0 },
  foldable: () => undefined,
  tokens: (estimate) => estimate,
  scale: 1,
  tool: () => undefined,
}

/** What a plugin brings; with a list of them, what all bring. */
async function contributionOf({ create, beside }: PluginUnderTest): Promise<Contribution> {
  const { plugins, given } = captured(create())
  // Core refuses some of it by itself: what setup gave is there all the same.
  await startTalk([...(beside?.() ?? []), plugins]).then(
    ({ session }) => session.close(),
    () => undefined,
  )
  expect(given, 'what setup gave').not.toEqual([])
  const all = <Part>(pick: (contribution: Contribution) => readonly Part[] | undefined) =>
    given.flatMap(({ contribution }) => pick(contribution) ?? [])
  return {
    tools: all(({ tools }) => tools),
    prompt: all(({ prompt }) => prompt),
    reliefs: all(({ reliefs }) => reliefs),
    restorers: all(({ restorers }) => restorers),
    commands: all(({ commands }) => commands),
  }
}

/** Gives the plugin that a contract is about. */
export interface PluginUnderTest {
  /** A new one for each test; a list where one thing is made of several. */
  create(): Plugin | readonly Plugin[]
  /** Plugins that it requires, in order. */
  beside?(): PluginList
}

/** One promise, in the words of a test. `check` rejects where it is broken. */
interface PluginRule {
  readonly name: string
  check(plugin: PluginUnderTest): Promise<void>
}
