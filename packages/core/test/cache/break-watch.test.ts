import { describe, expect, it } from 'vitest'
import { createBreakWatch } from '../../src/cache/breaks.js'
import type { SentPrefix } from '../../src/cache/prefix.js'
import type { RenderedMessage } from '../../src/request/user-turn.js'
import { noted, PRICES, said, sentOf, talk, turns, usageOf } from './talk.js'

/** A watch that has seen twenty messages of a thousand tokens go into the cache. */
function watching(more: Partial<SentPrefix> = {}) {
  const watch = createBreakWatch()
  watch.sent('main', sentOf(talk(turns(20)), more))
  watch.answered('main', usageOf(0, 20_000), PRICES)
  const go = (sent: SentPrefix, read: number, written = 1_000) => {
    const prediction = watch.sent('main', sent)
    return { prediction, found: watch.answered('main', usageOf(read, written), PRICES) }
  }
  return { watch, go }
}

const longer = talk(turns(22))

describe('a break watch', () => {
  it('promises nothing for a first request, and the whole cache for the next', () => {
    const { watch, go } = watching()
    expect(watch.sent('other', sentOf(longer))).toBeUndefined()
    expect(go(sentOf(longer), 20_000)).toMatchObject({ prediction: { tokens: 20_000 }, found: undefined })
  })

  it('takes a miss of two thousand tokens or of five percent as none', () => {
    expect(watching().go(sentOf(longer), 18_000).found).toBeUndefined()
    expect(watching().go(sentOf(longer), 17_999).found).toMatchObject({ cause: 'server', tokens: 2_001 })
    const { watch } = watching()
    watch.sent('big', sentOf(talk(turns(20))))
    watch.answered('big', usageOf(0, 100_000), PRICES)
    watch.sent('big', sentOf(longer))
    expect(watch.answered('big', usageOf(95_000), PRICES)).toBeUndefined()
  })

  it('prices what was paid again by how it was written', () => {
    const cost = (written5m: number, written1h: number) => {
      const { watch } = watching()
      watch.sent('main', sentOf(longer))
      return watch.answered('main', usageOf(10_000, written5m, written1h), PRICES)?.dollars
    }
    expect(cost(12_000, 0)).toBeCloseTo(0.048, 9)
    expect(cost(0, 12_000)).toBeCloseTo(0.078, 9)
    expect(cost(0, 0)).toBeCloseTo(0.038, 9)
  })

  it('takes off what was deleted on the server since', () => {
    const { watch } = watching()
    const ask = (read: number, deleted?: number) => {
      watch.sent('main', sentOf(longer))
      return watch.answered('main', usageOf(read), PRICES, deleted)
    }
    expect(ask(12_000, 8_000)).toBeUndefined()
    expect(ask(12_000, 8_000)).toBeUndefined()
    expect(ask(6_000, 8_000)).toMatchObject({ predicted: 12_000, read: 6_000 })
    expect(ask(1_000, 13_000)).toBeUndefined()
  })

  it('promises nothing after a fold but what still stands before it', () => {
    const { go } = watching()
    go(sentOf(longer), 20_000, 2_000)
    const folded = talk([...turns(21), [noted('Summary.', 'compact')], [said('e22')]])
    const sent = sentOf(folded, { isFolded: true })
    expect(go(sent, 20_000)).toMatchObject({ prediction: { tokens: 20_000 }, found: undefined })
    const anew = talk([[noted('Summary.', 'compact')], [said('e22')]])
    expect(go(sentOf(anew, { isFolded: true, settings: 'other' }), 0)).toEqual({
      prediction: undefined,
      found: undefined,
    })
  })

  it('keeps no entry of other system bytes', () => {
    const section = (hash: string) => [{ hash, owner: 'rules', name: 'rules' }]
    const one = talk(turns(1))
    const watch = createBreakWatch()
    watch.sent('main', sentOf(one, { system: section('1') }))
    watch.answered('main', usageOf(0, 20_000), PRICES)
    watch.sent('main', sentOf(talk(turns(3), 'other'), { system: section('2') }))
    watch.answered('main', usageOf(0, 23_000), PRICES)
    const folded = talk([...turns(1), [noted('Summary.', 'compact')]], 'other')
    expect(watch.sent('main', sentOf(folded, { system: section('2'), isFolded: true }))).toBeUndefined()
  })

  it('promises nothing to a request without markers, and does not forget what was cached', () => {
    const { go } = watching()
    expect(go(sentOf(longer, { markers: [] }), 0, 0)).toEqual({ prediction: undefined, found: undefined })
    expect(go(sentOf(talk(turns(3)), { markers: [] }), 0, 0)).toEqual({ prediction: undefined, found: undefined })
    expect(go(sentOf(longer), 20_000).prediction?.tokens).toBe(20_000)
  })

  it('takes the furthest marker as the end of the cache, wherever it is named', () => {
    const [last] = sentOf(talk(turns(20))).markers
    const markers = [last, { level: 'message' as const, message: 3, block: 0 }].flatMap((marker) => marker ?? [])
    for (const order of [markers, markers.toReversed()]) {
      expect(watching({ markers: order }).go(sentOf(talk(turns(4))), 0).prediction).toBeUndefined()
    }
  })

  it('promises another model nothing after a fold', () => {
    const folded = talk([...turns(20), [noted('Summary.', 'compact')]])
    const sent = sentOf(folded, { model: 'claude-sonnet-5-5', isFolded: true })
    expect(watching().go(sent, 0)).toEqual({ prediction: undefined, found: undefined })
  })

  it('keeps no entry of other settings', () => {
    const { go } = watching()
    go(sentOf(longer, { settings: 'other' }), 0, 22_000)
    const folded = talk([...turns(20), [noted('Summary.', 'compact')]])
    expect(go(sentOf(folded, { settings: 'other', isFolded: true }), 0).prediction).toBeUndefined()
  })

  it('remembers some entries of a conversation, and none that is out of reach', () => {
    const rewound = (count: number, added: number) => {
      const { go } = watching()
      for (let more = 1; more <= 40; more++) go(sentOf(talk(turns(20 + more))), 19_000 + more * 1_000)
      const blocks = Array.from({ length: added }, (_, index) => said(`other ${index}`))
      return go(sentOf(talk([...turns(count), blocks])), 0).prediction?.tokens
    }
    expect(rewound(50, 1)).toBe(50_000)
    expect(rewound(50, 19)).toBe(50_000)
    expect(rewound(50, 20)).toBeUndefined()
    expect(rewound(25, 1)).toBeUndefined()
  })

  it('says so when no marker stands near enough to what is cached', () => {
    const far = talk([...turns(20), [said('answer')], Array.from({ length: 25 }, (_, index) => said(`r${index}`))])
    const { found } = watching().go(sentOf(far), 0)
    expect(found).toMatchObject({ cause: 'markers', owner: 'core', tokens: 20_000 })
    const previous = { level: 'message' as const, message: 19, block: 0 }
    const markers = [...sentOf(far).markers, previous]
    expect(watching().go(sentOf(far, { markers }), 20_000).found).toBeUndefined()
  })

  it('promises less than the minimum of a model to nobody', () => {
    const cleared = turns(22).map((blocks, index) => (index < 17 ? [noted(`cleared ${index}`, 'compact')] : blocks))
    const predicted = (cacheMinimum: number) =>
      watching({ cacheMinimum }).go(sentOf(talk(cleared), { cacheMinimum }), 0).prediction
    expect(predicted(512)?.tokens).toBe(3_000)
    expect(predicted(4_096)).toBeUndefined()
  })

  it('forgets a request that was never answered, and hears no answer twice', () => {
    const { watch, go } = watching()
    watch.sent('main', sentOf(talk(turns(5))))
    expect(go(sentOf(longer), 20_000).prediction?.tokens).toBe(20_000)
    expect(watch.answered('main', usageOf(0), PRICES)).toBeUndefined()
    expect(watch.answered('nobody', usageOf(0), PRICES)).toBeUndefined()
  })

  it('remembers a handful of sources', () => {
    const { watch, go } = watching()
    for (let agent = 0; agent < 15; agent++) watch.sent(`agent:${agent}`, sentOf(talk(turns(3))))
    expect(go(sentOf(longer), 20_000).prediction).toBeDefined()
    for (let agent = 0; agent < 64; agent++) watch.sent(`agent:${agent}`, sentOf(talk(turns(3))))
    expect(watch.sent('main', sentOf(longer))).toBeUndefined()
  })

  it('looks at as many messages of a long conversation as of a short one', () => {
    const reads = (count: number) => {
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
      watch.sent('main', sentOf(watched(all.slice(0, count))))
      watch.answered('main', usageOf(0, 20_000), PRICES)
      watch.sent('main', sentOf(watched(all)))
      watch.answered('main', usageOf(20_000, 2_000), PRICES)
      return looked
    }
    expect(reads(10_000)).toBe(reads(20))
  })
})

describe('an edit', () => {
  const edits = [
    { owner: 'late', reason: 'behind', price: { breaksAt: 9_000 } },
    { owner: 'early', reason: 'before', price: { breaksAt: 3_000 } },
    { owner: 'harmless', reason: 'a note', price: { breaksAt: null } },
  ]
  const blamed = (blocks: ReturnType<typeof turns>, more: Partial<SentPrefix> = { edits }) =>
    watching().go(sentOf(talk(blocks), more), 3_000).found

  it('belongs to the plugin whose block is there now', () => {
    const replaced = turns(22).with(4, [said('e4', 'cleared', 'late')])
    expect(blamed(replaced)).toMatchObject({
      cause: 'edit',
      owner: 'late',
      reason: 'behind',
      what: 'message 4, block 0 (text)',
      place: { message: 4, block: 0 },
      tokens: 16_000,
    })
  })

  it('belongs to the edit that reaches furthest back when a block was taken out or brought back', () => {
    const out = turns(22)
    out.splice(4, 2)
    expect(blamed(out)).toMatchObject({ owner: 'early', reason: 'before' })
    expect(blamed(turns(22).with(4, [said('e4', 'as it was')]))).toMatchObject({ owner: 'early' })
  })

  it('does not belong to a plugin whose block only moved up, but does to one that repeats a later block', () => {
    const marked = turns(22).with(6, [noted('a tip', 'tips')])
    const { watch } = watching()
    watch.sent('main', sentOf(talk(marked.slice(0, 20))))
    watch.answered('main', usageOf(6_000, 14_000), PRICES)
    watch.sent('main', sentOf(talk(marked.toSpliced(4, 2)), { edits }))
    expect(watch.answered('main', usageOf(4_000, 16_000), PRICES)).toMatchObject({ owner: 'early' })
    expect(blamed(turns(22).with(4, [said('e4', 'e9', 'late')]))).toMatchObject({ owner: 'late' })
  })

  it('belongs to the plugin whose block was there, or to core, when nobody says more', () => {
    const out = turns(22).with(4, [said('e4', 'as it was')])
    expect(blamed(out, {})).toMatchObject({ owner: 'core' })
    const { watch } = watching()
    watch.sent('main', sentOf(talk(turns(20).with(4, [said('e4', 'cleared', 'compact')]))))
    watch.answered('main', usageOf(4_000, 16_000), PRICES)
    watch.sent('main', sentOf(longer))
    expect(watch.answered('main', usageOf(4_000, 18_000), PRICES)).toMatchObject({ cause: 'edit', owner: 'compact' })
  })

  it('of a block behind all markers costs nothing', () => {
    const { watch } = watching()
    const open = talk([...turns(20), [said('e20')], [noted('note', 'tips')]])
    const markers = [{ level: 'message' as const, message: 20, block: 0 }]
    watch.sent('main', sentOf(open, { markers }))
    watch.answered('main', usageOf(20_000, 1_000), PRICES)
    const other = talk([...turns(20), [said('e20')], [noted('other note', 'tips')]])
    watch.sent('main', sentOf(other))
    expect(watch.answered('main', usageOf(5_000), PRICES)).toMatchObject({ cause: 'server', tokens: 16_000 })
  })

  it('is none where a conversation was only cut short', () => {
    const { go } = watching()
    go(sentOf(longer), 20_000, 2_000)
    const rewound = talk([...turns(21), [said('another')]])
    expect(go(sentOf(rewound), 20_000)).toMatchObject({ prediction: { tokens: 20_000 }, found: undefined })
    expect(go(sentOf(talk(turns(4))), 0)).toEqual({ prediction: undefined, found: undefined })
  })
})
