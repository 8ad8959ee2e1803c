import { describe, expect, it } from 'vitest'
import { blocksOf, clearsIn, type Exchange, eraseSession } from './erase-session.js'

const ofMain = (exchanges: readonly Exchange[]) => exchanges.filter(({ source }) => source === 'main')
const thinkingIn = ({ body }: Exchange) => blocksOf(body).filter(({ type }) => type === 'thinking').length
const messagesIn = ({ body }: Exchange) =>
  JSON.stringify(body.messages, (key, value) => (key === 'cache_control' ? undefined : value))

describe('clearing by the API', () => {
  it('begins at its threshold, and leaves the thinking behind it valid', async () => {
    const work = await eraseSession()
    const session = await work.start()
    await work.run(session, 13)
    const sent = ofMain(work.exchanges)
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200))
    const first = sent.findIndex(({ body }) => clearsIn(body))
    expect(sent[first - 1]?.prompt).toBeGreaterThan(50_100 * 0.8)
    expect(sent[first]?.prompt).toBeLessThan(22_000)
    expect(sent.map(thinkingIn)).toEqual(sent.map((_, index) => index))
    expect(work.events.filter(({ type }) => type === 'recovery')).toEqual([])
    for (const { body, applied } of sent.slice(first)) {
      expect(clearsIn(body, 'clear_thinking_20251015')).toEqual({ type: 'clear_thinking_20251015', keep: 'all' })
      expect(applied).toMatchObject([{ type: 'clear_tool_uses_20250919', cleared_tool_uses: first - 3 }])
    }
    const [edit] = work.events.flatMap((event) => (event.type === 'edit' ? [event.edit] : []))
    expect(edit).toMatchObject({ owner: 'compact', price: { thinkingLost: 0 } })
    expect(edit?.price.freed).toBeGreaterThan(30_000)
  })

  it('sends the same messages as without it', async () => {
    const work = await eraseSession()
    await work.run(await work.start(), 12)
    const plain = await eraseSession({ flags: { 'compact.api': false, 'compact.clear': false } })
    await plain.run(await plain.start({ plugins: [], flags: {} }), 12)
    expect(ofMain(work.exchanges).map(({ body }) => blocksOf(body).length)).toEqual(
      ofMain(plain.exchanges).map(({ body }) => blocksOf(body).length),
    )
    expect(work.exchanges.at(-1)?.body.context_management).toBeDefined()
    expect(plain.exchanges.at(-1)?.body.context_management).toBeUndefined()
  })

  it('makes the view as small as the API says it is', async () => {
    const work = await eraseSession()
    const session = await work.start()
    const told: { readonly tokens: number; readonly next: number }[] = []
    session.events.on('edit', () => told.push({ tokens: session.view().tokens.total, next: work.exchanges.length }))
    await work.run(session, 20)
    expect(told.length).toBe(2)
    for (const { tokens, next } of told) {
      const real = work.exchanges[next]?.prompt ?? 0
      expect(Math.abs(tokens - real)).toBeLessThan(0.12 * (work.exchanges[next - 1]?.prompt ?? 0))
    }
    const last = work.exchanges.at(-1)
    expect(session.view().tokens).toMatchObject({ total: (last?.prompt ?? 0) + (last?.output ?? 0), estimated: 0 })
  })

  it('breaks the cache where it clears and nowhere else, and says so', async () => {
    const work = await eraseSession()
    const session = await work.start()
    await work.run(session, 20)
    const sent = ofMain(work.exchanges)
    const edits = work.events.filter(({ type }) => type === 'edit').length
    expect(session.breaks()).toMatchObject(
      Array.from({ length: edits }, () => ({
        cause: 'edit',
        owner: 'compact',
        reason: expect.stringContaining('the API clears') as string,
      })),
    )
    const short = sent.filter(({ read }, index) => index > 0 && read < (sent[index - 1]?.prompt ?? 0))
    expect(short).toHaveLength(edits)
  })

  it('is undone: the results are there again, to the byte, and the thinking too', async () => {
    const work = await eraseSession()
    const session = await work.start()
    await work.run(session, 10)
    const before = work.exchanges.at(-1) as Exchange
    expect(clearsIn(before.body)).toBeDefined()
    await session.undo()
    const shows = session
      .view()
      .rounds.flatMap(({ entries }) =>
        entries.flatMap(({ id, content }) => content.map((_, block) => session.view().shows({ entry: id, block }))),
      )
    expect(new Set(shows)).toEqual(new Set(['whole']))
    await work.run(session, 0, 'Go on.')
    const after = work.exchanges.at(-1) as Exchange
    expect(after.status).toBe(200)
    expect(after.body.context_management).toBeUndefined()
    expect(messagesIn(after).startsWith(messagesIn(before).slice(0, -1))).toBe(true)
    expect(after.prompt).toBeGreaterThan(before.prompt + 25_000)
    expect(session.breaks().at(-1)).toMatchObject({ cause: 'edit', owner: 'compact' })
  })

  it('takes back later clears with an earlier one, since the API clears from the start on', async () => {
    const work = await eraseSession()
    const session = await work.start()
    await work.run(session, 18)
    const edits = work.events.flatMap((event) => (event.type === 'edit' ? [event.edit] : []))
    expect(edits).toHaveLength(2)
    const told: string[] = []
    session.events.on('edit', ({ edit }) => told.push(`${edit.owner}: ${edit.reason}`))
    await session.undo({ edit: edits[0]?.id as string, force: true })
    await expect.poll(() => told.length).toBe(2)
    expect(told[1]).toBe('compact: the API clears from the start on only')
    const view = session.view()
    const erased = view.rounds.flatMap(({ entries }) =>
      entries.flatMap(({ id, content }) => content.filter((_, block) => view.shows({ entry: id, block }) === 'erased')),
    )
    expect(erased).toEqual([])
  })

  it('goes on after a resume with the same bytes', async () => {
    const work = await eraseSession()
    const session = await work.start()
    await work.run(session, 11)
    const before = work.exchanges.at(-1) as Exchange
    await session.close()
    const again = await work.start({ open: { resume: session.id } })
    await work.run(again, 0, 'Go on.')
    const after = work.exchanges.at(-1) as Exchange
    expect(messagesIn(after).startsWith(messagesIn(before).slice(0, -1))).toBe(true)
    expect(clearsIn(after.body)).toEqual(clearsIn(before.body))
    expect(after.read).toBe(before.prompt)
  })

  it('leaves tools alone whose results have to stay, and clears what writing tools were given', async () => {
    const work = await eraseSession({
      name: (number) => ['Read', 'AskUser', 'Write'][number % 3] as string,
      input: (number) => ({ file_path: `src/${number}.ts`, content: 'x = 1\n'.repeat(number % 3 === 2 ? 400 : 1) }),
      compact: { exclude: ['AskUser'] },
    })
    await work.run(await work.start(), 16)
    const { body, applied } = work.exchanges.at(-1) as Exchange
    expect(clearsIn(body)).toMatchObject({ exclude_tools: ['AskUser'], clear_tool_inputs: ['Write'] })
    const uses = blocksOf(body).filter(({ type }) => type === 'tool_use').length
    const { keep } = clearsIn(body) as unknown as { keep: { value: number } }
    const range = Array.from({ length: uses - keep.value }, (_, number) => number)
    expect(applied).toMatchObject([{ cleared_tool_uses: range.filter((number) => number % 3 !== 1).length }])
    expect(new Set(work.exchanges.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('keeps the thinking of the last turn only after an hour without a word, and from then on all', async () => {
    const work = await eraseSession()
    const session = await work.start()
    await work.run(session, 4)
    await work.run(session, 4)
    work.clock.advance(3_600_000)
    await work.run(session, 2, 'I am back.')
    await work.run(session, 2, 'And on.')
    const sent = work.exchanges.slice(10)
    const kept = sent.map(({ body }) => clearsIn(body, 'clear_thinking_20251015')?.keep)
    const turns = (value: number) => ({ type: 'thinking_turns', value })
    expect(kept).toEqual([1, 2, 2, 2, 3, 3].map(turns))
    expect(sent.map(({ applied }) => applied[0])).toMatchObject(
      sent.map(() => ({ type: 'clear_thinking_20251015', cleared_thinking_turns: 1 })),
    )
    // By time, five results stay.
    expect(sent[0]?.applied[1]).toMatchObject({ cleared_tool_uses: 3 })
    expect(sent.every(({ status }) => status === 200)).toBe(true)
    expect(session.breaks().filter(({ cause }) => cause !== 'expired')).toEqual([])
  })

  it('clears after a pause whatever the policy is, and not while the flag for that is off', async () => {
    const after = async (options: Parameters<typeof eraseSession>[0]) => {
      const work = await eraseSession(options)
      const session = await work.start()
      await work.run(session, 8)
      work.clock.advance(360_000)
      await work.run(session, 0, 'I am back.')
      return clearsIn((work.exchanges.at(-1) as Exchange).body)?.keep
    }
    expect(await after({ compact: { policy: 'fidelity' } })).toEqual({ type: 'tool_uses', value: 5 })
    expect(await after({ compact: { idle: { keep: 2 } } })).toEqual({ type: 'tool_uses', value: 2 })
    expect(await after({ compact: { idle: { minutes: 10 } } })).toBeUndefined()
    expect(await after({ flags: { 'compact.idle': false } })).toBeUndefined()
  })

  it('sends nothing of it where thinking is not bound, nor with its flag off', async () => {
    const other = await eraseSession({ model: 'claude-opus-4-6' })
    const session = await other.start()
    await other.run(session, 12)
    const off = await eraseSession({ flags: { 'compact.api': false } })
    const quiet = await off.start()
    await off.run(quiet, 4)
    for (const { body } of [...other.exchanges, ...off.exchanges]) expect(body.context_management).toBeUndefined()
    expect([session, quiet].map((each) => each.view().state('core', 'latched'))).toEqual([{}, {}])
    const on = await eraseSession()
    const started = await on.start()
    await on.run(started, 1)
    expect(started.view().state('core', 'latched')).toEqual({ betas: ['context-management-2025-06-27'] })
  })

  it('stays as it is when the plugin is switched off on the way, and goes no further', async () => {
    const work = await eraseSession()
    let isOff = false
    const session = await work.start({
      details: {
        effects: { now: work.clock.now },
        flagSources: { live: { read: (name) => (isOff && name === 'compact' ? false : undefined) } },
      },
    })
    await work.run(session, 11)
    const before = work.exchanges.at(-1) as Exchange
    isOff = true
    await work.run(session, 4)
    const after = work.exchanges.at(-1) as Exchange
    expect(after.status).toBe(200)
    expect(after.applied).toMatchObject([{ cleared_tool_uses: before.applied[0]?.cleared_tool_uses }])
  })
})
