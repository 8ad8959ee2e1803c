import { describe, expect, it } from 'vitest'
import { makePlan } from '../../src/conformance/conversation.js'
import { assertConforms, CHECKS, pluginConformance } from '../../src/conformance/index.js'
import { logStore } from '../../src/conformance/log-store.js'

describe('a generated conversation', () => {
  const plans = Array.from({ length: 40 }, (_, seed) => makePlan(seed, []))
  const asks = plans.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'ask' ? [step] : [])))
  const calls = asks.flatMap(({ turns }) => turns.flat())

  it('is the same for the same seed', () => {
    expect(makePlan(7, [])).toEqual(plans[7])
    expect(makePlan(8, [])).not.toEqual(plans[7])
  })

  it('has, in a few of them, all that a plugin meets', () => {
    expect(asks.some(({ turns }) => turns.some((turn) => turn.length > 2))).toBe(true)
    expect(asks.some(({ stopAtRequest }) => stopAtRequest !== undefined)).toBe(true)
    expect(calls.some(({ input }) => input.hang === true)).toBe(true)
    expect(calls.some(({ input }) => Number(input.lines) > 100)).toBe(true)
    expect(new Set(plans.flatMap(({ steps }) => steps.map(({ kind }) => kind)))).toEqual(
      new Set(['ask', 'compact', 'undo']),
    )
    expect(new Set(plans.map(({ contextBudget }) => contextBudget)).size).toBe(4)
  })

  it('makes calls of the plugin where they are given', () => {
    const own = { name: 'recall', input: {} }
    expect(JSON.stringify(makePlan(3, [own]))).toContain('recall')
  })
})

describe('the store of the kit', () => {
  it('reads all or from an entry on, and keeps no object that it was given', async () => {
    const { open, entries } = logStore()
    const store = (await open('s')) as {
      append(batch: object[]): Promise<void>
      read(from?: string): AsyncIterable<{ id: string }>
    }
    const ids = async (from?: string) => {
      const all: string[] = []
      for await (const { id } of store.read(from)) all.push(id)
      return all
    }
    const first = { id: 'a', kind: 'user', content: [] as object[] }
    await store.append([first, { id: 'b', kind: 'user' }, { id: 'f', kind: 'edit', changes: [] }])
    await store.append([{ id: 'k', kind: 'state', owner: 'core', key: 'checkpoint', value: { from: 'b', edit: 'f' } }])
    first.content.push({})
    expect(entries[0]?.content).toEqual([])
    expect(await ids()).toEqual(['a', 'b', 'f', 'k'])
    await store.append([{ id: 'r', kind: 'edit', changes: [{ kind: 'revert', edit: 'f' }] }])
    expect(await ids('f')).toEqual(['f', 'k', 'r'])
  })
})

describe('a report', () => {
  it('is thrown with what is broken and how to see it again', async () => {
    const broken = { name: 'broken', setup: () => ({}) }
    const createSession = async () => Promise.reject(new Error('no such folder'))
    const report = await pluginConformance({ createSession, model: () => ({}), plugin: broken, seed: 5 })
    expect(report).toMatchObject({
      runs: 1,
      requests: 0,
      findings: [{ check: 'starts', seed: 5, play: 'calm', step: 0 }],
    })
    expect(() => assertConforms(report)).toThrow(`starts (${CHECKS.starts}): no such folder [seed 5, calm, step 0]`)
    expect(() => assertConforms({ findings: [], runs: 1, requests: 9 })).not.toThrow()
  })
})
