import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BlockPlace,
  LOOKBACK,
  type MarkerClaims,
  placeBefore,
  placeMarkers,
  toMessages,
  toSystem,
} from '../../src/request/markers.js'
import type { RenderedMessage } from '../../src/request/user-turn.js'
import type { Block, Json } from '../../src/types/log.js'
import { noted, said, talk, textBlock, turns } from '../cache/talk.js'
import { createScriptedSession, plain, type Step } from '../view/log-script.js'

const SEED = Number(process.env.FUZZ_SEED ?? 7)
const at = (message: number, block = 0): BlockPlace => ({ level: 'message', message, block })
const system = (block: number): BlockPlace => ({ level: 'system', block })
const NONE: MarkerClaims = { previous: undefined, nextCut: undefined, sessionEnd: undefined, staticEnd: undefined }
const thought = { block: { type: 'thinking', thinking: 'Hm.', signature: 's' }, owner: 'assistant' }

describe('markers', () => {
  const messages = talk(turns(60))

  it('go to the claims in their order, four at most', () => {
    const claims = { previous: at(10), nextCut: at(5), sessionEnd: 1, staticEnd: 0 }
    expect(placeMarkers(messages, claims)).toEqual([at(59), at(10), at(5), system(1)])
    expect(placeMarkers(messages, { ...claims, nextCut: undefined })).toEqual([at(59), at(10), system(1), system(0)])
  })

  it('leave the previous place out while the server finds it by itself', () => {
    expect(placeMarkers(messages, { ...NONE, previous: at(59 - LOOKBACK + 1) })).toEqual([at(59)])
    expect(placeMarkers(messages, { ...NONE, previous: at(59 - LOOKBACK) })).toEqual([at(59), at(59 - LOOKBACK)])
  })

  it('stand on one block once', () => {
    const claims = { ...NONE, previous: at(10), nextCut: at(10), sessionEnd: 0, staticEnd: 0 }
    expect(placeMarkers(messages, claims)).toEqual([at(59), at(10), system(0)])
  })

  it('move to a block before when theirs can carry none', () => {
    const answer = [said('b'), thought, noted(' \n', 'x')]
    const tail = Array.from({ length: 30 }, (_, index) => said(`r${index}`))
    const open = talk([[said('a')], answer, [...tail, noted('', 'x')]])
    const claims = { ...NONE, previous: at(1, 2), nextCut: at(1, 1) }
    expect(placeMarkers(open, claims)).toEqual([at(2, 29), at(1, 0)])
    expect(placeMarkers(talk([[thought]]), NONE)).toEqual([])
    expect(placeMarkers([], { ...NONE, previous: at(7), nextCut: at(3, 4) })).toEqual([])
  })

  it('never stand on a message of the system role', () => {
    const [user, , last] = talk([[said('a')], [said('b')], [noted('c', 'x')]]) as [
      RenderedMessage,
      never,
      RenderedMessage,
    ]
    expect(placeMarkers([user, { ...last, role: 'system' }], NONE)).toEqual([at(0)])
  })

  it('survive claims of a conversation that was longer', () => {
    expect(placeMarkers(messages.slice(0, 3), { ...NONE, previous: at(50, 9), nextCut: at(2, 9) })).toEqual([at(2)])
  })
})

describe('a place before an entry', () => {
  it('is on the last block that can carry a marker', () => {
    const messages = talk([[said('a')], [said('b'), thought], [said('c'), said('d'), said('e')]])
    expect(placeBefore(messages, 'd')).toEqual(at(2, 0))
    expect(placeBefore(messages, 'c')).toEqual(at(1, 0))
    expect(placeBefore(messages, 'a')).toBeUndefined()
    expect(placeBefore(messages, 'unknown')).toBeUndefined()
  })

  it('is looked for from where it was found last', () => {
    const all = talk(turns(5_000))
    let looked = 0
    const get = (target: readonly RenderedMessage[], key: string | symbol) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) looked += 1
      return Reflect.get(target, key)
    }
    placeBefore(all, 'e3000')
    const watched = new Proxy(all, { get })
    expect(placeBefore(watched, 'e3002')).toEqual(at(3_001))
    expect(looked).toBeLessThan(10)
    expect(placeBefore(watched, 'e7')).toEqual(at(6))
  })
})

describe('marked messages', () => {
  it('are made anew only where a marker stands', () => {
    const messages = talk(turns(4))
    const one = toMessages(messages, [at(3)], '5m')
    const two = toMessages(messages, [at(2)], '5m')
    expect([one[0], one[1]].every((message, index) => message === two[index])).toBe(true)
    expect(one[3]).not.toBe(two[3])
    expect(JSON.stringify(two[3])).not.toContain('cache_control')
  })

  it('keep a block inside a result as it is', () => {
    const inner = [textBlock('inside')]
    const block = { type: 'tool_result', tool_use_id: 't', content: inner }
    const messages = toMessages(talk([[{ block, owner: 'user' }]]), [at(0)], '1h')
    const [marked] = (messages as unknown as readonly { content: readonly Block[] }[]).flatMap(({ content }) => content)
    expect(marked).toEqual({ ...block, cache_control: { type: 'ephemeral', ttl: '1h' } })
    expect(marked?.content).toBe(inner)
  })

  it('ignore a place that is not there', () => {
    const messages = talk(turns(2))
    expect(toMessages(messages, [at(1, 4), at(9), system(0)], '5m')).toEqual(toMessages(messages, [], '5m'))
    expect(toSystem([textBlock('a'), textBlock('')], [system(1), system(7)], '5m')).toEqual([
      textBlock('a'),
      textBlock(''),
    ])
  })

  it.each([
    ['5m', '1h', [undefined, undefined]],
    ['1h', '5m', ['1h', undefined]],
    ['1h', '1h', ['1h', '1h']],
  ] as const)('live %s in the system and %s behind it, but an hour never behind five minutes', (first, then, ttls) => {
    const ttl = { system: first, messages: then }
    const sent = [
      toSystem([textBlock('a')], [system(0)], ttl)[0],
      (toMessages(talk(turns(1)), [at(0)], ttl) as unknown as { content: Json[] }[])[0]?.content[0],
    ] as { cache_control: { ttl?: string } }[]
    expect(sent.map(({ cache_control }) => cache_control.ttl)).toEqual(ttls)
  })
})

describe('in any conversation', () => {
  const turn: fc.Arbitrary<Step> = fc.record({
    kind: fc.constant('turn' as const),
    calls: fc.oneof(fc.nat({ max: 3 }), fc.constant(24)),
    thinks: fc.boolean(),
    notes: fc.nat({ max: 2 }),
  })
  const any = fc.nat({ max: 60 })
  const edit: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant('replace' as const), choice: any }),
    fc.record({
      kind: fc.constantFrom('fold' as const, 'drop' as const),
      from: any,
      length: fc.nat({ max: 3 }),
      notes: fc.nat({ max: 2 }),
    }),
    fc.record({ kind: fc.constant('rewind' as const), from: any }),
  )
  const steps = fc.array(fc.oneof({ weight: 3, arbitrary: turn }, { weight: 1, arbitrary: edit }), {
    minLength: 1,
    maxLength: 25,
  })
  const place = fc.option(
    fc.record({ level: fc.constant('message' as const), message: any, block: fc.nat({ max: 30 }) }),
    { nil: undefined },
  )
  const end = fc.option(fc.nat({ max: 1 }), { nil: undefined })

  const canCarry = (role: string, block: Block) =>
    role !== 'system' && block.type !== 'thinking' && !(block.type === 'text' && String(block.text).trim() === '')
  const markable = (messages: readonly RenderedMessage[]) =>
    messages.flatMap(({ role, blocks }, message) =>
      blocks.flatMap((each, block) => (canCarry(role, each.block) ? [{ ...each, message, block }] : [])),
    )

  it('markers are few, on blocks that can carry them, the last one always, and the bytes are those without', async () => {
    await fc.assert(
      fc.property(steps, place, any, end, end, (script, previous, choice, sessionEnd, staticEnd) => {
        const session = createScriptedSession(true)
        for (const step of script) session.step(step)
        const rendering = session.rendering()
        const { messages } = rendering
        const entry = session.log[choice % session.log.length]?.id ?? ''
        const nextCut = placeBefore(messages, entry)
        const markers = placeMarkers(messages, { previous, nextCut: nextCut, sessionEnd, staticEnd })

        const allowed = markable(messages).map(({ message, block }) => at(message, block))
        expect(markers.length).toBeLessThanOrEqual(4)
        expect(new Set(markers.map((marker) => JSON.stringify(marker))).size).toBe(markers.length)
        const places = new Set(allowed.map((each) => JSON.stringify(each)))
        const onMessages = markers.filter(({ level }) => level === 'message')
        expect(onMessages.filter((marker) => !places.has(JSON.stringify(marker)))).toEqual([])
        if (allowed.length) expect(markers[0]).toEqual(allowed.at(-1))

        const text = JSON.stringify(toMessages(messages, markers, '5m'))
        const control = ',"cache_control":{"type":"ephemeral"}'
        expect(text.split(control).length - 1).toBe(onMessages.length)
        expect(text.replaceAll(control, '')).toBe(JSON.stringify(plain(rendering)))
      }),
      { numRuns: 150, seed: SEED },
    )
  })

  it('the place before an entry is the one that a walk finds', async () => {
    await fc.assert(
      fc.property(steps, fc.array(any, { minLength: 1, maxLength: 5 }), (script, choices) => {
        const session = createScriptedSession(false)
        for (const step of script) session.step(step)
        const { messages } = session.rendering()
        const blocks = messages.flatMap((message, index) =>
          message.blocks.map((each, block) => ({ role: message.role, each, place: at(index, block) })),
        )
        for (const choice of choices) {
          const id = session.log[choice % session.log.length]?.id ?? ''
          const first = blocks.findIndex(({ each }) => each.ref?.entry === id)
          const before = blocks.slice(0, Math.max(0, first)).findLast(({ role, each }) => canCarry(role, each.block))
          expect(placeBefore(messages, id)).toEqual(before?.place)
        }
      }),
      { numRuns: 100, seed: SEED },
    )
  })
})
