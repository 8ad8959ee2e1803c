import { definePlugin, type Session } from '@nacre/core'
import type { ModelTurn } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { begin, lastRequest, listen, nine, say, type Worked, work } from './summary-session.js'

const bare = (bodies: Readonly<Record<number, string>> = {}) =>
  nine(bodies).replace(/^[\s\S]*<summary>\n|\n<\/summary>$/g, '')
const isServer = ({ purpose }: ModelTurn) => purpose === 'compaction'
const ON = { flags: { 'compact.server': true } }
const first = (body: string) =>
  (JSON.parse(body) as { messages: { role: string; content: { type: string }[] }[] }).messages[0]

const asked = (worked: Worked) => worked.requests.filter(({ source }) => source === 'compact')

describe('a summary by the server', () => {
  it('stands first and signed in every later request, with what it lacks behind it', async () => {
    const worked = await work({ summary: () => bare({ 3: 'See src/made-up.ts.' }) })
    const session = await begin(worked, ON)
    await say(session, 'Read it,\nplease.')
    const told = listen(session)
    const outcome = await session.compact()
    expect(told.verdicts()).toEqual(['server taken'])
    expect(outcome.edit?.receipt?.checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['sections', true],
      ['user messages', true],
      ['todos', true],
      ['paths', false],
    ])
    for (const prompt of ['Go on.', 'And on.']) expect(await say(session, prompt)).toBe('done')
    expect(first(lastRequest(worked))).toMatchObject({ role: 'assistant', content: [{ type: 'compaction' }] })
    expect(lastRequest(worked)).toContain(JSON.stringify('Read it,\nplease.').slice(1, -1))
    expect(lastRequest(worked)).toContain('unverified: src/made-up.ts')
    expect(worked.requests.every(({ status }) => status === 200)).toBe(true)
  })

  it('keeps the last prompt in view over several folds, by whatever way', async () => {
    const worked = await work({
      window: 20_000,
      calls: 40,
      summary: (turn, count) => (isServer(turn) ? (count % 2 === 0 ? '' : bare()) : nine()),
    })
    const session = await begin(worked, ON)
    const told = listen(session)
    expect(await say(session, 'Read all of it, and mind the gap.')).toBe('done')
    expect(told.verdicts()).toContain('server taken')
    expect(told.verdicts()).toContain('shared taken')
    const bodies = worked.requests.filter(({ source }) => source === 'main')
    expect(bodies.filter(({ body }) => !body.includes('Read all of it, and mind the gap.'))).toEqual([])
    expect(worked.requests.every(({ status }) => status === 200)).toBe(true)
  })

  it.each([
    ['gives none', ''],
    ['calls a tool', [{ type: 'tool_use' as const, name: 'read', input: { path: 'a.ts' } }]],
    ['gives one without sections', 'All went well.'],
  ])('that %s is followed by one on the shared cache', async (_name, bad) => {
    const worked = await work({ summary: (turn) => (isServer(turn) ? bad : nine()) })
    const session = await begin(worked, ON)
    await say(session, 'Read it.')
    const told = listen(session)
    await session.compact()
    expect(told.verdicts()).toEqual(['server failed', 'shared taken'])
    expect(await say(session, 'Go on.')).toBe('done')
  })

  it('is not offered for a part, nor by a model that has none, nor when the session began without its header', async () => {
    const offers = async (session: Session, options = {}) => {
      const told = listen(session)
      await session.compact(options)
      return told.verdicts()[0]
    }
    const worked = await work({ summary: () => nine() })
    const on = new Set<string>()
    const live = { read: (name: string) => (on.has(name) ? true : undefined) }
    const late = await begin(worked, { details: { flagSources: { live } } })
    await say(late, 'Read it.')
    on.add('compact.server')
    expect(await offers(late)).toBe('shared taken')
    const session = await begin(worked, ON)
    await say(session, 'Read it.')
    await say(session, 'Read on.')
    const from = session.view().rounds.at(-1)?.span.from as string
    expect(await offers(session, { part: { from }, dryRun: true })).not.toMatch(/^server/)
    const plain = await work({ model: 'claude-haiku-4-5' })
    const other = await begin(plain, ON)
    await say(other, 'Read it.')
    expect(await offers(other)).toBe('shared taken')
  })

  it('is asked for without the clearing that goes with every other request', async () => {
    const worked = await work({ summary: () => bare() })
    const clearing = definePlugin({
      name: 'clearing',
      setup: () => ({
        hooks: {
          PreModelCall: ({ value }) => ({
            ...value,
            extra: {
              ...value.extra,
              betas: [...((value.extra?.betas as string[] | undefined) ?? []), 'context-management-2025-06-27'],
              context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
            },
          }),
        },
      }),
    })
    const session = await begin(worked, { plugins: [compact(), clearing], ...ON })
    await say(session, 'Read it.')
    expect(lastRequest(worked)).toContain('context_management')
    const told = listen(session)
    await session.compact()
    expect(told.verdicts()).toEqual(['server taken'])
    expect(asked(worked)[0]?.body).not.toContain('context_management')
    expect(await say(session, 'Go on.')).toBe('done')
  })

  it('goes together with clearing by the API, each with its header', async () => {
    const worked = await work({ model: 'claude-opus-5-5', window: 30_000, calls: 30, summary: () => bare() })
    const session = await begin(worked, { flags: { 'compact.server': true, 'compact.api': true } })
    expect(await say(session, 'Read all of it.')).toBe('done')
    const told = listen(session)
    await session.compact()
    expect(told.verdicts()).toEqual(['server taken'])
    for (const prompt of ['Go on.', 'And on.']) expect(await say(session, prompt)).toBe('done')
    expect(worked.requests.filter(({ status }) => status !== 200)).toEqual([])
    expect(worked.requests.some(({ body }) => body.includes('"context_management":{'))).toBe(true)
  })
})
