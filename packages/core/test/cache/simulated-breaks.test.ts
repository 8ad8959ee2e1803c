import { describe, expect, it } from 'vitest'
import { describeBreak } from '../../src/cache/describe-break.js'
import type { Block, Edit, Entry } from '../../src/types/log.js'
import { type CachedSession, type Sending, startCachedSession, words } from './cached-session.js'

/** An image of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A session with enough in the cache to lose. */
async function started(): Promise<CachedSession> {
  const session = await startCachedSession()
  for (let turn = 0; turn < 6; turn++) await session.ask(`${words(1_000, `p${turn}x`)} calls ${turn % 3}`)
  expect(session.sendings.filter(({ found }) => found)).toEqual([])
  return session
}

const isResult = (entry: Entry) => entry.kind === 'user' && entry.content[0]?.type === 'tool_result'

async function clearResult(session: CachedSession, owner: string): Promise<Edit> {
  const result = session.log.find(isResult) as Extract<Entry, { kind: 'user' }>
  const content = [{ ...result.content[0], type: 'tool_result', content: '[cleared]' }]
  const target = { entry: result.id, block: 0 }
  const changes = [{ kind: 'replace' as const, target, content }]
  return (await session.conversation().edit({ owner, reason: 'old result', changes })) as Edit
}

/** What was lost is what stood in the cache and was sent again. */
function expectLoss({ found, usage, prediction }: Sending): void {
  expect(found?.predicted).toBe(prediction?.tokens)
  expect(found?.read).toBe(usage.cacheRead)
  expect(found?.tokens).toBe((prediction?.tokens ?? 0) - usage.cacheRead)
  expect(found?.dollars).toBeCloseTo(((found?.tokens ?? 0) * (5 - 0.2)) / 1_000_000, 8)
}

describe('what the server reads', () => {
  it('is what was predicted, to the token, in thirty turns of all sizes', async () => {
    const session = await startCachedSession()
    for (let turn = 0; turn < 30; turn++) {
      await session.ask(`${words(200, `p${turn}x`)} calls ${turn % 5 === 4 ? 25 : turn % 3}`)
      session.simulator.clock.advance(60_000)
    }
    const [first, ...rest] = session.sendings
    expect(first?.prediction).toBeUndefined()
    expect(rest.length).toBeGreaterThan(40)
    for (const { prediction, usage, found } of rest) {
      expect(usage.cacheRead).toBe(prediction?.tokens)
      expect(found).toBeUndefined()
    }
    expect(rest.at(-1)?.usage.cacheRead).toBeGreaterThan(50_000)
  })

  it('is what was predicted at a rewind and behind it', async () => {
    const session = await started()
    const asked = session.log.filter((entry) => entry.kind === 'user' && entry.content[0]?.type === 'text')
    const span = { from: asked[4]?.id ?? '', to: session.log.at(-1)?.id ?? '' }
    await session.conversation().edit({ owner: 'user', reason: 'rewind', changes: [{ kind: 'drop', span }] })
    for (const prompt of ['Another way.', 'And on.']) {
      const { prediction, usage, found } = await session.ask(prompt)
      expect(prediction?.tokens).toBeGreaterThan(10_000)
      expect(usage.cacheRead).toBe(prediction?.tokens)
      expect(found).toBeUndefined()
    }
  })

  it('is missed by nobody after a fold', async () => {
    const session = await started()
    const asked = session.log.filter((entry) => entry.kind === 'user' && entry.content[0]?.type === 'text')
    const span = { from: asked[1]?.id ?? '', to: session.log[session.log.indexOf(asked[4] as Entry) - 1]?.id ?? '' }
    const content = [{ type: 'text', text: 'Summary.' }]
    const folded = await session
      .conversation()
      .edit({ owner: 'compact', reason: 'high', changes: [{ kind: 'fold', span, content }] })
    expect(folded).toMatchObject({ owner: 'compact' })
    expect((await session.ask('Go on.')).found).toBeUndefined()
    const { prediction, usage, found } = await session.ask('And on.')
    expect(usage.cacheRead).toBe(prediction?.tokens)
    expect(found).toBeUndefined()
  })

  it('is predicted for each source by itself', async () => {
    const session = await started()
    expect((await session.ask('Look back.', 'extract')).prediction).toBeUndefined()
    const { prediction, found } = await session.ask('Go on.')
    expect(prediction?.tokens).toBeGreaterThan(10_000)
    expect(found).toBeUndefined()
  })
})

describe('a break', () => {
  it.each([
    ['a section that changed', { system: ['rules', 'place moved'] }, 'system', 'place-plugin', 'section place changed'],
    ['a section that is gone', { system: ['rules'] }, 'system', 'place-plugin', 'section place removed'],
    ['a tool that changed', { tools: ['read more', 'write'] }, 'tools', 'read-plugin', 'tool read changed'],
    ['a new tool', { tools: ['read', 'grep', 'write'] }, 'tools', 'grep-plugin', 'tool grep added'],
    ['a tool that is gone', { tools: ['write'] }, 'tools', 'read-plugin', 'tool read removed'],
    ['tools in another order', { tools: ['write', 'read'] }, 'tools', 'write-plugin', 'tool write moved'],
    [
      'another model',
      { model: 'claude-sonnet-5-5' },
      'model',
      'user',
      'model claude-opus-5-5 became claude-sonnet-5-5',
    ],
    ['other settings', { effort: 'low' }, 'settings', 'user', 'settings changed'],
  ])('is blamed on %s', async (_, bytes, cause, owner, what) => {
    const session = await started()
    session.change(bytes)
    const sending = await session.ask('Go on.')
    expect(sending.found).toMatchObject({ cause, owner, what })
    if (cause !== 'model') expectLoss(sending)
    expect((await session.ask('And on.')).found).toBeUndefined()
  })

  it('is not seen when a session goes back to a model whose cache lives', async () => {
    const session = await started()
    session.change({ model: 'claude-sonnet-5-5' })
    await session.ask('Go on.')
    session.change({ model: 'claude-opus-5-5' })
    const { prediction, usage, found } = await session.ask('Back again.')
    expect(usage.cacheRead).toBeGreaterThanOrEqual(prediction?.tokens ?? Number.POSITIVE_INFINITY)
    expect(found).toBeUndefined()
  })

  it('is blamed on the plugin that changed a block, with its reason and both texts', async () => {
    const session = await started()
    await clearResult(session, 'compact')
    const sending = await session.ask('Go on.')
    expect(sending.found).toMatchObject({ cause: 'edit', owner: 'compact', reason: 'old result' })
    expectLoss(sending)
    const text = describeBreak(sending.found as never, sending.prediction?.before as never, sending.sent)
    expect(text).toContain('Cache break: edit, by compact (old result)')
    expect(text).toContain('[cleared]')
    expect(text).toMatch(/--- message \d+ \(user\), block 0 of user/)
    expect((await session.ask('And on.')).found).toBeUndefined()
  })

  it('is blamed on whoever took a block out', async () => {
    const session = await startCachedSession()
    await session.ask(words(500, 'p'))
    const note = { text: words(500, 'n'), trust: 'runtime' as const }
    const insert = { kind: 'insert' as const, note }
    await session.conversation().append({ kind: 'user', content: [{ type: 'text', text: words(500, 'q') }] })
    const noted = await session.conversation().edit({ owner: 'tips', reason: 'a tip', changes: [insert] })
    await session.ask('Begin.')
    for (let turn = 0; turn < 3; turn++) await session.ask(words(1_000, `p${turn}x`))
    const edit = (noted as Edit).id
    const undone = { owner: 'cleaner', reason: 'no tips', changes: [{ kind: 'revert' as const, edit }] }
    expect(await session.conversation().edit(undone)).toMatchObject({ owner: 'cleaner' })
    const other = { kind: 'insert' as const, note: { text: 'Hello.', trust: 'runtime' as const } }
    await session.conversation().edit({ owner: 'greeter', reason: 'greets', changes: [other] })
    const { found } = await session.ask('Go on.')
    expect(found).toMatchObject({ cause: 'edit', owner: 'cleaner', reason: 'no tips' })
  })

  it('is blamed on the first image, and not on its going', async () => {
    const session = await started()
    const source = { type: 'base64', media_type: 'image/png', data: PIXEL }
    const shown = await session.show([
      { type: 'text', text: 'Look.' },
      { type: 'image', source },
    ])
    expect(shown.found).toMatchObject({ cause: 'images', owner: 'user' })
    expect((await session.ask('And?')).found).toBeUndefined()
    const asked = session.log.find(({ kind, ...entry }) => kind === 'user' && JSON.stringify(entry).includes(PIXEL))
    const span = { from: asked?.id ?? '', to: session.log.at(-1)?.id ?? '' }
    await session.conversation().edit({ owner: 'user', reason: 'rewind', changes: [{ kind: 'drop', span }] })
    const { prediction, usage, found } = await session.ask('Without it.')
    expect(usage.cacheRead).toBe(prediction?.tokens)
    expect(found).toBeUndefined()
  })

  it('is smaller where a standing mark waits before what is cleared', async () => {
    const readOf = async (stands: boolean) => {
      const session = await started()
      const result = session.log.findLast(isResult) as Entry
      if (stands) session.standBefore(result.id)
      await session.ask(`${words(2_000, 'm')} calls 25`)
      const target = { entry: result.id, block: 0 }
      const { content } = result as Extract<Entry, { kind: 'user' }>
      const replace = {
        kind: 'replace' as const,
        target,
        content: [{ ...(content[0] as Block), content: '[cleared]' }],
      }
      await session.conversation().edit({ owner: 'compact', reason: 'old', changes: [replace] })
      const { found } = await session.ask('Go on.')
      expect(found).toMatchObject({ cause: 'edit', owner: 'compact' })
      return found?.read ?? 0
    }
    expect(await readOf(true)).toBeGreaterThan(10_000 + (await readOf(false)))
  })

  it('is blamed on time, also where somebody used the cold cache to clear', async () => {
    const session = await started()
    session.simulator.clock.advance(5 * 60_000 - 1)
    expect((await session.ask('In time.')).found).toBeUndefined()
    session.simulator.clock.advance(5 * 60_000)
    expect((await session.ask('Too late.')).found).toMatchObject({ cause: 'expired', owner: 'core' })
    session.simulator.clock.advance(5 * 60_000)
    await clearResult(session, 'compact')
    expect((await session.ask('Too late again.')).found).toMatchObject({ cause: 'expired', owner: 'core' })
    expect((await session.ask('At once.')).found).toBeUndefined()
  })

  it('leaves the entry of a rewind unpromised when it is too old', async () => {
    const session = await started()
    session.simulator.clock.advance(5 * 60_000)
    const asked = session.log.filter((entry) => entry.kind === 'user' && entry.content[0]?.type === 'text')
    const span = { from: asked[4]?.id ?? '', to: session.log.at(-1)?.id ?? '' }
    await session.conversation().edit({ owner: 'user', reason: 'rewind', changes: [{ kind: 'drop', span }] })
    expect(await session.ask('Another way.')).toMatchObject({ prediction: undefined, found: undefined })
  })

  it('is not seen below the minimum of the model', async () => {
    const session = await startCachedSession()
    session.change({ model: 'claude-opus-4-6', system: [], tools: [] })
    for (const prompt of [words(500, 'p'), words(200, 'q'), 'Go on.']) {
      const { usage, ...rest } = await session.ask(prompt)
      expect(usage.input).toBeGreaterThan(1_000)
      expect(usage).toMatchObject({ cacheRead: 0, cacheWrite5m: 0 })
      expect(rest).toMatchObject({ prediction: undefined, found: undefined })
    }
  })
})
