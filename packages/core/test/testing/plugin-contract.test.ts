import { afterEach, describe, expect, it } from 'vitest'
import { pluginContract } from '../../src/testing/index.js'
import { flagRules, lifeRules, partRules, sessionRules } from '../../src/testing/plugin-contract.js'
import { definePlugin, type Plugin } from '../../src/types/plugin.js'
import { disposesOnce, failsToStart, leaksState, throwsInHooks } from '../conformance/bad-plugins.js'
import { clearing, noting } from '../conformance/honest-plugins.js'
import { folding } from '../relief/folding.js'

await pluginContract('a plugin that does nothing', { create: () => definePlugin({ name: 'idle', setup: () => ({}) }) })
await pluginContract('a plugin that notes', { create: () => noting as Plugin })
await pluginContract('a plugin that clears', { create: () => clearing })
await pluginContract('a plugin that folds', {
  create: () => ({ ...folding, requires: ['clearing'] }),
  beside: () => [clearing],
})

afterEach(() => {
  delete process.env.NACRE_FLAGS
})

const RULES = [...lifeRules, ...flagRules, ...partRules, ...sessionRules]

const bad = (setup: Plugin['setup'], more: Partial<Plugin> = {}): Plugin => ({ name: 'bad', setup, ...more })
const schema = { json: { type: 'object' }, parse: (input: unknown) => input }
const tool = (over: object) => {
  const parts = { name: 'a', description: 'Does a.', schema, isReadOnly: () => true, isConcurrencySafe: () => true }
  return { ...parts, run: () => ({ content: [] }), ...over } as never
}
const section = (text: (context: { readonly cwd: string }) => string) => {
  return { name: 'same', scope: 'static' as const, text }
}

/** Still proposes after it was switched off. */
const late = bad(({ store }) => {
  let timer: NodeJS.Timeout | undefined
  const state = { kind: 'state' as const, id: '', time: 0, owner: 'bad', key: 'late', value: 1 }
  return {
    hooks: {
      UserPromptSubmit() {
        timer ??= setInterval(() => void store.append([state]).catch(() => undefined))
      },
    },
    dispose: () => clearInterval(timer),
  }
})

/** Switches itself on from above the options. */
const stubborn = (): Plugin => {
  process.env.NACRE_FLAGS = 'bad=on'
  return bad(() => ({ prompt: [section(() => 'Here I am.')] }))
}

const CASES: readonly (readonly [rule: string, plugin: () => Plugin])[] = [
  ['works with nothing but core', () => failsToStart],
  ['works with nothing but core', () => throwsInHooks],
  ['works with nothing but core', () => bad(() => ({}), { requires: ['another'] })],
  ['is disposed with its session', () => disposesOnce],
  ['adds no tool, no section', stubborn],
  ['writes nothing more once it is switched off', () => late],
  ['works with each of its flags', () => bad(({ flag }) => (flag('on') ? {} : never()), { flags: { on: true } })],
  ['has no other flags', () => bad(() => ({}), { flags: { 'no-flag-is-called-so': true } })],
  ['brings tools with a name', () => bad(() => ({ tools: [tool({ name: 'no spaces please' })] }))],
  ['brings tools with a name', () => bad(() => ({ tools: [tool({ description: ' ' })] }))],
  ['brings tools with a name', () => bad(() => ({ tools: [tool({ schema: { ...schema, json: { a: () => 1 } } })] }))],
  ['gives each tool, section', () => bad(() => ({ tools: [tool({}), tool({})] }))],
  ['gives each tool, section', () => bad(() => ({ prompt: [section(() => 'a'), section(() => 'b')] }))],
  ['writes the same static sections', () => bad(() => ({ prompt: [section(({ cwd }) => `In ${cwd}.`)] }))],
  ['changes nothing when its reliefs', () => bad(({ store }) => ({ reliefs: [writing(store)] }))],
  ['shares no state between two sessions', () => leaksState],
]

describe('the contract of plugins', () => {
  it.each(CASES)('says that a plugin breaks it: %s', async (name, create) => {
    const rules = RULES.filter((each) => each.name.startsWith(name))
    expect(rules).toHaveLength(1)
    await expect(rules[0]?.check({ create })).rejects.toThrow()
  })

  it('has no rule that nothing can break', () => {
    const unbroken = RULES.filter(({ name }) => !CASES.some(([rule]) => name.startsWith(rule)))
    expect(unbroken.map(({ name }) => name)).toEqual([])
  })
})

function never(): never {
  throw new Error('It was not thought of.')
}

/** Writes down that it was asked. */
function writing(store: Parameters<Plugin['setup']>[0]['store']) {
  const value = { kind: 'state', owner: 'bad', key: 'asked', value: true, id: '', time: 0 } as const
  const offer = async () => void (await store.append([value]))
  return { name: 'writing', rung: 'clear' as const, offer }
}
