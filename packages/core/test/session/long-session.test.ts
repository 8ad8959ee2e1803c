import { type ModelTurn, type SimulatedModel, scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/types/log.js'
import { eventsOf, setUp } from './setup.js'

const CALLS = 200

interface Sent {
  readonly system: Json[]
  readonly tools: Json[]
  readonly messages: { readonly role: string; readonly content: Json[] }[]
}

/** A model that reads one file after the other, and thinks where it may. */
function reader(calls: number): SimulatedModel {
  let asked = 0
  return scripted(({ thinks }: ModelTurn) => {
    asked += 1
    const thought = thinks ? [{ type: 'thinking' as const, thinking: `Step ${asked}: ${'think '.repeat(30)}` }] : []
    if (asked > calls) return [...thought, `All ${calls} files were read.`]
    return [...thought, { type: 'tool_use' as const, name: 'read_file', input: { path: `src/file-${asked}.ts` } }]
  })
}

/** A body without its markers, and how many it had. */
function unmarked(body: string): { sent: Sent; text: string; markers: number; inMessages: number } {
  let markers = 0
  let inMessages = 0
  const strip = (value: unknown, isMessage: boolean): unknown => {
    if (Array.isArray(value)) return value.map((each) => strip(each, isMessage))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => {
        if (key === 'cache_control') {
          markers += 1
          if (isMessage) inMessages += 1
          return []
        }
        return [[key, strip(inner, isMessage || key === 'messages')]]
      }),
    )
  }
  const sent = strip(JSON.parse(body), false) as Sent
  return { sent, text: JSON.stringify(sent.messages), markers, inMessages }
}

describe.each([
  ['without thinking', {}],
  ['with thinking that is bound to its prefix', { thinking: { type: 'adaptive' } }],
])('a session of 200 tool calls %s', (_name, adapter) => {
  it('extends each request to the byte and reads over 95% of its input from the cache', async () => {
    const { start, simulator, bodies } = await setUp(
      reader(CALLS),
      { account: { thinkingBinding: 'enforced' } },
      adapter,
    )
    const session = await start({
      system: 'You read files, one after the other, until all have been read. '.repeat(40),
    })
    const events = await eventsOf(session.query('Read all the files.'))
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'done' })

    const totals = simulator.ledger.totals('main')
    expect(totals).toMatchObject({ requests: CALLS + 1, failed: 0 })
    expect(totals.hitRate).toBeGreaterThan(0.95)
    expect(session.breaks()).toEqual([])
    expect(session.cost().dollars).toBeCloseTo(totals.dollars, 6)

    let before: ReturnType<typeof unmarked> | undefined
    for (const body of bodies) {
      const now = unmarked(body)
      expect(now.markers).toBeLessThanOrEqual(4)
      expect(now.inMessages).toBeLessThanOrEqual(2)
      if (before) {
        expect(now.text.startsWith(before.text.slice(0, -1))).toBe(true)
        expect([now.sent.system, now.sent.tools]).toEqual([before.sent.system, before.sent.tools])
      }
      before = now
    }
    if ('thinking' in adapter) expect(before?.text.match(/"type":"thinking"/g)).toHaveLength(CALLS)
  })
})
