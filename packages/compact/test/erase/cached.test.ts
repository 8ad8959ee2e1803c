import { describe, expect, it } from 'vitest'
import { blocksOf, type EraseOptions, type Exchange, eraseSession } from './erase-session.js'

const CACHED: EraseOptions = {
  model: 'claude-sonnet-4-6',
  window: 200_000,
  words: 500,
  cacheEdits: true,
  flags: { 'compact.cached': true },
}

interface Deletion {
  readonly message: number
  readonly references: readonly string[]
}

function deletionsIn({ body }: Exchange): Deletion[] {
  return body.messages.flatMap(({ content }, message) =>
    typeof content === 'string'
      ? []
      : content.flatMap(({ type, edits }) =>
          type === 'cache_edits'
            ? [{ message, references: (edits as { cache_reference: string }[]).map((edit) => edit.cache_reference) }]
            : [],
        ),
  )
}

const calls = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `toolu_${from + index}`)
const allFine = (exchanges: readonly Exchange[]) => exchanges.every(({ status }) => status === 200)

describe('cached clearing', () => {
  it('deletes all but the recent results from twelve on, at the same place in every later request', async () => {
    const work = await eraseSession(CACHED)
    await work.run(await work.start(), 24)
    const sent = work.exchanges
    expect(allFine(sent)).toBe(true)
    const first = { message: 24, references: calls(0, 9) }
    const second = { message: 42, references: calls(9, 18) }
    expect(sent.map(deletionsIn)).toEqual(
      sent.map((_, index) => [...(index >= 12 ? [first] : []), ...(index >= 21 ? [second] : [])]),
    )
  })

  it('reads all that is left of the cache, each time, and raises no alarm', async () => {
    const work = await eraseSession(CACHED)
    const session = await work.start()
    await work.run(session, 24)
    const sent = work.exchanges
    for (const [index, { read }] of sent.entries()) {
      const before = sent[index - 1]?.prompt ?? 0
      if (index === 12 || index === 21) expect(read).toBeLessThan(before / 2)
      else expect(read).toBe(before)
    }
    expect(session.breaks()).toEqual([])
    const edits = work.events.flatMap((event) => (event.type === 'edit' ? [event.edit] : []))
    expect(edits).toHaveLength(2)
    for (const { price } of edits) expect(price.freed).toBeGreaterThan(4_000)
  })

  it('makes the view as small as the server says it is', async () => {
    const work = await eraseSession(CACHED)
    const session = await work.start()
    const told: { readonly tokens: number; readonly next: number }[] = []
    session.events.on('edit', () => told.push({ tokens: session.view().tokens.total, next: work.exchanges.length }))
    await work.run(session, 24)
    expect(told.length).toBe(2)
    for (const { tokens, next } of told) {
      const { prompt = 0 } = work.exchanges[next] ?? {}
      expect(Math.abs(tokens - prompt)).toBeLessThan(0.12 * (work.exchanges[next - 1]?.prompt ?? 0))
    }
    const last = work.exchanges.at(-1)
    expect(session.view().tokens.total).toBe((last?.prompt ?? 0) + (last?.output ?? 0))
    const rounds = session.view().rounds.reduce((sum, { tokens }) => sum + tokens, 0)
    // All but the system prompt and the tools.
    expect(rounds).toBeLessThan(session.view().tokens.total)
  })

  it('clears for good what was deleted from a cache that is gone', async () => {
    const work = await eraseSession(CACHED)
    const session = await work.start()
    await work.run(session, 14)
    expect(deletionsIn(work.exchanges.at(-1) as Exchange)).toHaveLength(1)
    work.clock.advance(6 * 60_000)
    await work.run(session, 1, 'I am back.')
    const after = work.exchanges.at(-1) as Exchange
    expect(deletionsIn(after)).toEqual([])
    const lines = blocksOf(after.body).filter((block) => JSON.stringify(block).includes('[Cleared: Read'))
    expect(lines.length).toBeGreaterThanOrEqual(9)
    expect(allFine(work.exchanges)).toBe(true)
    expect(after.prompt).toBeLessThan(8_000)
    expect(session.breaks().filter(({ cause }) => cause !== 'expired')).toEqual([])
  })

  it('ends with a fold over it, and comes back with what a person brings back', async () => {
    const work = await eraseSession(CACHED)
    const session = await work.start()
    await work.run(session, 14)
    const before = work.exchanges.at(-1) as Exchange
    const { edit } = await session.compact()
    expect(edit?.receipt?.tokens.before).toBeLessThan(before.prompt * 1.2)
    await work.run(session, 1, 'On.')
    expect(deletionsIn(work.exchanges.at(-1) as Exchange)).toEqual([])
    await session.undo({ edit: edit?.id as string })
    await work.run(session, 0, 'And on.')
    expect(deletionsIn(work.exchanges.at(-1) as Exchange)).toEqual(deletionsIn(before))
    expect(allFine(work.exchanges)).toBe(true)
  })

  it('is undone: the results are there again', async () => {
    const work = await eraseSession(CACHED)
    const session = await work.start()
    await work.run(session, 13)
    const before = work.exchanges.at(-1) as Exchange
    await session.undo()
    await work.run(session, 0, 'On.')
    const after = work.exchanges.at(-1) as Exchange
    expect(deletionsIn(after)).toEqual([])
    expect(after.prompt).toBeGreaterThan(before.prompt + 4_000)
    expect(Math.abs(session.view().tokens.total - after.prompt)).toBeLessThan(200)
    await work.run(session, 3, 'Go on.')
    expect(allFine(work.exchanges)).toBe(true)
  })

  it('is carried by a fork, and goes on after a resume with the same bytes', async () => {
    const work = await eraseSession({ ...CACHED, answers: () => 'A summary that is too short to be one.' })
    const session = await work.start()
    await work.run(session, 14)
    const before = work.exchanges.at(-1) as Exchange
    await session.compact()
    const fork = work.exchanges.find(({ source }) => source !== 'main') as Exchange
    expect(deletionsIn(fork)).toEqual(deletionsIn(before))
    expect(fork.read).toBeGreaterThanOrEqual(before.prompt)

    const other = await eraseSession(CACHED)
    const begun = await other.start()
    await other.run(begun, 14)
    const last = other.exchanges.at(-1) as Exchange
    await begun.close()
    await other.run(await other.start({ open: { resume: begun.id } }), 0, 'On.')
    const resumed = other.exchanges.at(-1) as Exchange
    expect(deletionsIn(resumed)).toEqual(deletionsIn(last))
    expect(resumed.read).toBe(last.prompt)
  })

  it('keeps thinking valid that is bound to what stands before it', async () => {
    const work = await eraseSession({ ...CACHED, model: 'claude-opus-5-5' })
    const session = await work.start()
    await work.run(session, 24)
    expect(allFine(work.exchanges)).toBe(true)
    const thinking = blocksOf((work.exchanges.at(-1) as Exchange).body).filter(({ type }) => type === 'thinking')
    expect(thinking).toHaveLength(24)
    expect(work.exchanges.at(-1)?.body.context_management).toBeUndefined()
  })

  it('is off unless both the adapter and the flag say otherwise', async () => {
    const flagOnly = await eraseSession({ ...CACHED, cacheEdits: false })
    const adapterOnly = await eraseSession({ ...CACHED, flags: {} })
    for (const work of [flagOnly, adapterOnly]) {
      await work.run(await work.start(), 14)
      expect(work.exchanges.flatMap(deletionsIn)).toEqual([])
      expect(allFine(work.exchanges)).toBe(true)
    }
    const references = (work: typeof flagOnly) =>
      blocksOf((work.exchanges.at(-1) as Exchange).body).filter((block) => 'cache_reference' in block).length
    expect([references(flagOnly), references(adapterOnly)]).toEqual([0, 14])
  })
})
