import { describe, expect, it, vi } from 'vitest'
import { bill, blocks, count, headTokens, request, split, text, tiny, tool } from '../support/prompt-cache.js'
import { simulate } from '../support/simulate.js'

describe('Reads and writes of the prompt cache', () => {
  it('[C4] misses an entry at block 15 from a marker at block 35', async () => {
    const { client } = await simulate({ models: [tiny] })
    await bill(client, request(blocks(15, { 15: '5m' })))
    const total = await count(client, request(blocks(36)))
    const marked = await count(client, request(blocks(35)))
    expect(await bill(client, request(blocks(36, { 35: '5m' })))).toEqual(
      split({ write5m: marked, input: total - marked }),
    )
  })

  it('[C4] finds an entry at block 15 from a marker at block 34', async () => {
    const { client } = await simulate({ models: [tiny] })
    await bill(client, request(blocks(15, { 15: '5m' })))
    const found = await count(client, request(blocks(15)))
    const marked = await count(client, request(blocks(34)))
    expect(await bill(client, request(blocks(34, { 34: '5m' })))).toEqual(
      split({ read: found, write5m: marked - found }),
    )
  })

  it('[C4] counts tools and system blocks among the twenty positions', async () => {
    const head = { tools: [tool('look', '5m')], system: [text('Look.')] }
    for (const { size, isFound } of [
      { size: 18, isFound: true },
      { size: 19, isFound: false },
    ]) {
      const { client } = await simulate({ models: [tiny] })
      await bill(client, request(blocks(1), head))
      const tools = await headTokens(client, request([], { tools: head.tools }))
      const body = request(blocks(size, { [size]: '5m' }), { ...head, tools: [tool('look')] })
      expect((await bill(client, body)).read).toBe(isFound ? tools : 0)
    }
  })

  it('[C5] looks back from an earlier marker too', async () => {
    const { client } = await simulate({ models: [tiny] })
    await bill(client, request(blocks(15, { 15: '5m' })))
    const found = await count(client, request(blocks(15)))
    const total = await count(client, request(blocks(50)))
    expect(await bill(client, request(blocks(50, { 30: '5m', 50: '5m' })))).toEqual(
      split({ read: found, write5m: total - found }),
    )
  })

  it('[C6] splits the prompt by the highest hit, the last one-hour marker and the last marker', async () => {
    const { client } = await simulate({ models: [tiny] })
    await bill(client, request(blocks(2, { 2: '1h' })))
    const at = (size: number) => count(client, request(blocks(size)))
    const [a, b, c, total] = [await at(2), await at(5), await at(7), await at(9)]
    expect(await bill(client, request(blocks(9, { 2: '1h', 4: '1h', 5: '1h', 7: '5m' })))).toEqual({
      read: a,
      write1h: b - a,
      write5m: c - b,
      input: total - c,
    })
  })

  it('[C6] reads to the highest of several entries', async () => {
    const { client } = await simulate({ models: [tiny] })
    await bill(client, request(blocks(6, { 2: '5m', 4: '5m', 6: '5m' })))
    const four = await count(client, request(blocks(4)))
    const edited = request([...blocks(4), ...blocks(4, { 4: '5m' }, 'other')])
    expect(await bill(client, edited)).toEqual(split({ read: four, write5m: (await count(client, edited)) - four }))
  })

  it('[C6] bills no write for a one-hour marker before the hit', async () => {
    const { client } = await simulate({ models: [tiny] })
    await bill(client, request(blocks(3, { 3: '5m' })))
    const three = await count(client, request(blocks(3)))
    const four = await count(client, request(blocks(4)))
    expect(await bill(client, request(blocks(4, { 2: '1h', 4: '5m' })))).toEqual(
      split({ read: three, write5m: four - three }),
    )
  })

  it('[C6] sums up both lifetimes in cache_creation_input_tokens', async () => {
    const { client } = await simulate({ models: [tiny] })
    const { usage } = await client.messages.create(request(blocks(3, { 1: '1h', 2: '5m' })))
    const [one, two, three] = [1, 2, 3].map((size) => count(client, request(blocks(size))))
    expect(usage).toMatchObject({
      cache_creation_input_tokens: await two,
      cache_creation: {
        ephemeral_1h_input_tokens: await one,
        ephemeral_5m_input_tokens: ((await two) ?? 0) - ((await one) ?? 0),
      },
      cache_read_input_tokens: 0,
      input_tokens: ((await three) ?? 0) - ((await two) ?? 0),
    })
  })

  it('[C7] writes a prefix of exactly the minimum and not one that is a token shorter', async () => {
    const total = await count((await simulate({ models: [tiny] })).client, request(blocks(5)))
    const { client } = await simulate({
      models: [
        { ...tiny, id: 'exact', cacheMinimum: total },
        { ...tiny, id: 'above', cacheMinimum: total + 1 },
      ],
    })
    const body = request(blocks(5, { 5: '5m' }))
    expect(await bill(client, { ...body, model: 'exact' })).toEqual(split({ write5m: total }))
    expect(await bill(client, { ...body, model: 'exact' })).toEqual(split({ read: total }))
    expect(await bill(client, { ...body, model: 'above' })).toEqual(split({ input: total }))
    expect(await bill(client, { ...body, model: 'above' })).toEqual(split({ input: total }))
  })

  it('[C7] writes nothing at a marker below the minimum, though a later one is above it', async () => {
    const minimum = await count((await simulate({ models: [tiny] })).client, request(blocks(5)))
    const { client } = await simulate({ models: [{ ...tiny, cacheMinimum: minimum }] })
    expect(await bill(client, request(blocks(5, { 3: '1h', 5: '5m' })))).toEqual(split({ write5m: minimum }))
    const edited = request([...blocks(3), ...blocks(9, { 9: '5m' }, 'other')])
    expect((await bill(client, edited)).read).toBe(0)
  })

  it.each([
    ['claude-fable-5-1', 512],
    ['claude-opus-5-5', 512],
    ['claude-sonnet-5-5', 512],
    ['claude-haiku-5-5', 512],
    ['claude-fable-5', 512],
    ['claude-opus-5', 512],
    ['claude-opus-4-8', 1024],
    ['claude-opus-4-7', 2048],
    ['claude-opus-4-6', 4096],
    ['claude-opus-4-5', 4096],
    ['claude-sonnet-5', 1024],
    ['claude-sonnet-4-6', 1024],
    ['claude-sonnet-4-5', 1024],
    ['claude-haiku-4-5', 4096],
  ])('[C7] takes %s to need %i tokens', async (model, minimum) => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const { client } = await simulate()
    const body = (size: number) => ({ ...request([text('w '.repeat(size), '5m')]), model })
    const unit = (await count(client, body(10_000))) / 10_000
    let size = Math.floor(minimum / unit) - 10
    while ((await count(client, body(size))) < minimum) size += 1
    const [below, above] = [await count(client, body(size - 1)), await count(client, body(size))]
    expect(below).toBeLessThan(minimum)
    expect(await bill(client, body(size - 1))).toEqual(split({ input: below }))
    expect(await bill(client, body(size))).toEqual(split({ write5m: above }))
  })
})
