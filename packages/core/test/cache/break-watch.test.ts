import { describe, expect, it } from 'vitest'
import { createBreakWatch } from '../../src/cache/break-watch.js'
import type { SentPrefix } from '../../src/cache/sent-prefix.js'
import type { RenderedMessage } from '../../src/request/rendered.js'
import { noted, PRICES, said, sentOf, talk, turns, usageOf } from './talk.js'

/** A watch that has seen twenty messages of a thousand tokens go into the cache. */
function watching(more: Partial<SentPrefix> = {}) {
  const watch = createBreakWatch()
  const begun = watch.sent('main', sentOf(talk(turns(20)), more))
  const ready = begun.then(() => watch.answered('main', usageOf(0, 20_000), PRICES))
  const go = async (sent: SentPrefix, read: number, written = 1_000) => {
    await ready
    const prediction = await watch.sent('main', sent)
    return { prediction, found: watch.answered('main', usageOf(read, written), PRICES) }
  }
  return { watch, go, ready }
}

const longer = talk(turns(22))

describe('a break watch', () => {
  it('promises nothing for a first request, and the whole cache for the next', async () => {
    const { watch, go, ready } = watching()
    await ready
    expect(await watch.sent('other', sentOf(longer))).toBeUndefined()
    expect(await go(sentOf(longer), 20_000)).toMatchObject({ prediction: { tokens: 20_000 }, found: undefined })
  })

  it('takes a miss of two thousand tokens or of five percent as none', async () => {
    expect((await watching().go(sentOf(longer), 18_000)).found).toBeUndefined()
    expect((await watching().go(sentOf(longer), 17_999)).found).toMatchObject({ cause: 'server', tokens: 2_001 })
    const { watch, ready } = watching()
    await ready
    await watch.sent('big', sentOf(talk(turns(20))))
    watch.answered('big', usageOf(0, 100_000), PRICES)
    await watch.sent('big', sentOf(longer))
    expect(watch.answered('big', usageOf(95_000), PRICES)).toBeUndefined()
  })

  it('prices what was paid again by how it was written', async () => {
    const cost = async (written5m: number, written1h: number) => {
      const { watch, ready } = watching()
      await ready
      await watch.sent('main', sentOf(longer))
      return watch.answered('main', usageOf(10_000, written5m, written1h), PRICES)?.dollars
    }
    expect(await cost(12_000, 0)).toBeCloseTo(0.048, 9)
    expect(await cost(0, 12_000)).toBeCloseTo(0.078, 9)
    expect(await cost(0, 0)).toBeCloseTo(0.038, 9)
  })

  it('takes off what was deleted on the server since', async () => {
    const { watch, ready } = watching()
    await ready
    const ask = async (read: number, deleted?: number) => {
      await watch.sent('main', sentOf(longer))
      return watch.answered('main', usageOf(read), PRICES, deleted)
    }
    expect(await ask(12_000, 8_000)).toBeUndefined()
    expect(await ask(12_000, 8_000)).toBeUndefined()
    expect(await ask(6_000, 8_000)).toMatchObject({ predicted: 12_000, read: 6_000 })
    expect(await ask(1_000, 13_000)).toBeUndefined()
  })

  it('promises nothing after a fold but what still stands before it', async () => {
    const { go } = watching()
    await go(sentOf(longer), 20_000, 2_000)
    const folded = talk([...turns(21), [noted('Summary.', 'compact')], [said('e22')]])
    const sent = sentOf(folded, { isFolded: true })
    expect(await go(sent, 20_000)).toMatchObject({ prediction: { tokens: 20_000 }, found: undefined })
    const anew = talk([[noted('Summary.', 'compact')], [said('e22')]])
    expect(await go(sentOf(anew, { isFolded: true, settings: 'other' }), 0)).toEqual({
      prediction: undefined,
      found: undefined,
    })
  })

  it('keeps no entry of other system bytes', async () => {
    const section = (hash: string) => [{ hash, owner: 'rules', name: 'rules' }]
    const one = talk(turns(1))
    const watch = createBreakWatch()
    await watch.sent('main', sentOf(one, { system: section('1') }))
    watch.answered('main', usageOf(0, 20_000), PRICES)
    await watch.sent('main', sentOf(talk(turns(3), 'other'), { system: section('2') }))
    watch.answered('main', usageOf(0, 23_000), PRICES)
    const folded = talk([...turns(1), [noted('Summary.', 'compact')]], 'other')
    expect(await watch.sent('main', sentOf(folded, { system: section('2'), isFolded: true }))).toBeUndefined()
  })

  it('promises nothing to a request without markers, and does not forget what was cached', async () => {
    const { go } = watching()
    expect(await go(sentOf(longer, { markers: [] }), 0, 0)).toEqual({ prediction: undefined, found: undefined })
    expect(await go(sentOf(talk(turns(3)), { markers: [] }), 0, 0)).toEqual({ prediction: undefined, found: undefined })
    expect((await go(sentOf(longer), 20_000)).prediction?.tokens).toBe(20_000)
  })

  it('takes the furthest marker as the end of the cache, wherever it is named', async () => {
    const [last] = sentOf(talk(turns(20))).markers
    const markers = [last, { level: 'message' as const, message: 3, block: 0 }].flatMap((marker) => marker ?? [])
    for (const order of [markers, markers.toReversed()]) {
      expect((await watching({ markers: order }).go(sentOf(talk(turns(4))), 0)).prediction).toBeUndefined()
    }
  })

  it('promises another model nothing after a fold', async () => {
    const folded = talk([...turns(20), [noted('Summary.', 'compact')]])
    const sent = sentOf(folded, { model: 'claude-sonnet-5-5', isFolded: true })
    expect(await watching().go(sent, 0)).toEqual({ prediction: undefined, found: undefined })
  })

  it('keeps no entry of other settings', async () => {
    const { go } = watching()
    await go(sentOf(longer, { settings: 'other' }), 0, 22_000)
    const folded = talk([...turns(20), [noted('Summary.', 'compact')]])
    expect((await go(sentOf(folded, { settings: 'other', isFolded: true }), 0)).prediction).toBeUndefined()
  })

  it('remembers some entries of a conversation, and none that is out of reach', async () => {
    const rewound = async (count: number, added: number) => {
      const { go } = watching()
      for (let more = 1; more <= 40; more++) await go(sentOf(talk(turns(20 + more))), 19_000 + more * 1_000)
      const blocks = Array.from({ length: added }, (_, index) => said(`other ${index}`))
      return (await go(sentOf(talk([...turns(count), blocks])), 0)).prediction?.tokens
    }
    expect(await rewound(50, 1)).toBe(50_000)
    expect(await rewound(50, 19)).toBe(50_000)
    expect(await rewound(50, 20)).toBeUndefined()
    expect(await rewound(25, 1)).toBeUndefined()
  })

  it('says so when no marker stands near enough to what is cached', async () => {
    const far = talk([...turns(20), [said('answer')], Array.from({ length: 25 }, (_, index) => said(`r${index}`))])
    const { found } = await watching().go(sentOf(far), 0)
    expect(found).toMatchObject({ cause: 'markers', owner: 'core', tokens: 20_000 })
    const previous = { level: 'message' as const, message: 19, block: 0 }
    const markers = [...sentOf(far).markers, previous]
    expect((await watching().go(sentOf(far, { markers }), 20_000)).found).toBeUndefined()
  })

  it('promises less than the minimum of a model to nobody', async () => {
    const cleared = turns(22).map((blocks, index) => (index < 17 ? [noted(`cleared ${index}`, 'compact')] : blocks))
    const predicted = async (cacheMinimum: number) =>
      (await watching({ cacheMinimum }).go(sentOf(talk(cleared), { cacheMinimum }), 0)).prediction
    expect((await predicted(512))?.tokens).toBe(3_000)
    expect(await predicted(4_096)).toBeUndefined()
  })

  it('forgets a request that was never answered, and hears no answer twice', async () => {
    const { watch, go, ready } = watching()
    await ready
    await watch.sent('main', sentOf(talk(turns(5))))
    expect((await go(sentOf(longer), 20_000)).prediction?.tokens).toBe(20_000)
    expect(watch.answered('main', usageOf(0), PRICES)).toBeUndefined()
    expect(watch.answered('nobody', usageOf(0), PRICES)).toBeUndefined()
  })

  it('remembers a handful of sources', async () => {
    const { watch, go, ready } = watching()
    await ready
    for (let agent = 0; agent < 15; agent++) await watch.sent(`agent:${agent}`, sentOf(talk(turns(3))))
    expect((await go(sentOf(longer), 20_000)).prediction).toBeDefined()
    for (let agent = 0; agent < 16; agent++) await watch.sent(`agent:${agent}`, sentOf(talk(turns(3))))
    expect(await watch.sent('main', sentOf(longer))).toBeUndefined()
  })

  it('looks at as many messages of a long conversation as of a short one', async () => {
    const reads = async (count: number) => {
      let looked = 0
      const watched = (messages: readonly RenderedMessage[]) =>
        new Proxy(messages, {
          get(target, key) {
            if (typeof key === 'string' && /^\d+$/.test(key)) looked += 1
            return Reflect.get(target, key)
          },
        })
      const all = talk(turns(count + 2))
      const watch = createBreakWatch()
      await watch.sent('main', sentOf(watched(all.slice(0, count))))
      watch.answered('main', usageOf(0, 20_000), PRICES)
      await watch.sent('main', sentOf(watched(all)))
      watch.answered('main', usageOf(20_000, 2_000), PRICES)
      return looked
    }
    expect(await reads(10_000)).toBe(await reads(20))
  })
})

describe('an edit', () => {
  const edits = [
    { owner: 'late', reason: 'behind', price: { breaksAt: 9_000 } },
    { owner: 'early', reason: 'before', price: { breaksAt: 3_000 } },
    { owner: 'harmless', reason: 'a note', price: { breaksAt: null } },
  ]
  const blamed = async (blocks: ReturnType<typeof turns>, more: Partial<SentPrefix> = { edits }) =>
    (await watching().go(sentOf(talk(blocks), more), 3_000)).found

  it('belongs to the plugin whose block is there now', async () => {
    const replaced = turns(22).with(4, [said('e4', 'cleared', 'late')])
    expect(await blamed(replaced)).toMatchObject({
      cause: 'edit',
      owner: 'late',
      reason: 'behind',
      what: 'message 4, block 0 (text)',
      place: { message: 4, block: 0 },
      tokens: 16_000,
    })
  })

  it('belongs to the edit that reaches furthest back when a block was taken out or brought back', async () => {
    const out = turns(22)
    out.splice(4, 2)
    expect(await blamed(out)).toMatchObject({ owner: 'early', reason: 'before' })
    expect(await blamed(turns(22).with(4, [said('e4', 'as it was')]))).toMatchObject({ owner: 'early' })
  })

  it('does not belong to a plugin whose block only moved up, but does to one that repeats a later block', async () => {
    const marked = turns(22).with(6, [noted('a tip', 'tips')])
    const { watch, ready } = watching()
    await ready
    await watch.sent('main', sentOf(talk(marked.slice(0, 20))))
    watch.answered('main', usageOf(6_000, 14_000), PRICES)
    await watch.sent('main', sentOf(talk(marked.toSpliced(4, 2)), { edits }))
    expect(watch.answered('main', usageOf(4_000, 16_000), PRICES)).toMatchObject({ owner: 'early' })
    expect(await blamed(turns(22).with(4, [said('e4', 'e9', 'late')]))).toMatchObject({ owner: 'late' })
  })

  it('belongs to the plugin whose block was there, or to core, when nobody says more', async () => {
    const out = turns(22).with(4, [said('e4', 'as it was')])
    expect(await blamed(out, {})).toMatchObject({ owner: 'core' })
    const { watch, ready } = watching()
    await ready
    await watch.sent('main', sentOf(talk(turns(20).with(4, [said('e4', 'cleared', 'compact')]))))
    watch.answered('main', usageOf(4_000, 16_000), PRICES)
    await watch.sent('main', sentOf(longer))
    expect(watch.answered('main', usageOf(4_000, 18_000), PRICES)).toMatchObject({ cause: 'edit', owner: 'compact' })
  })

  it('of a block behind all markers costs nothing', async () => {
    const { watch, ready } = watching()
    await ready
    const open = talk([...turns(20), [said('e20')], [noted('note', 'tips')]])
    const markers = [{ level: 'message' as const, message: 20, block: 0 }]
    await watch.sent('main', sentOf(open, { markers }))
    watch.answered('main', usageOf(20_000, 1_000), PRICES)
    const other = talk([...turns(20), [said('e20')], [noted('other note', 'tips')]])
    await watch.sent('main', sentOf(other))
    expect(watch.answered('main', usageOf(5_000), PRICES)).toMatchObject({ cause: 'server', tokens: 16_000 })
  })

  it('is none where a conversation was only cut short', async () => {
    const { go } = watching()
    await go(sentOf(longer), 20_000, 2_000)
    const rewound = talk([...turns(21), [said('another')]])
    expect(await go(sentOf(rewound), 20_000)).toMatchObject({ prediction: { tokens: 20_000 }, found: undefined })
    expect(await go(sentOf(talk(turns(4))), 0)).toEqual({ prediction: undefined, found: undefined })
  })
})
