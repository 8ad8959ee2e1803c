import { definePlugin, type Tool } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { eventsOf } from '../support/start-session.js'
import { begin, listen, nine, say, work } from './summary-session.js'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }

const camera: Tool<{ readonly path: string }> = {
  name: 'read',
  description: 'Reads a file.',
  schema: { json: { type: 'object' }, parse: (input) => input as { path: string } },
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: ({ path }) => ({
    content: [{ type: 'text', text: `Seen in ${path}. ${'And so on. '.repeat(200)}` }, image],
    ...(path.endsWith('1.ts') && { isError: true as const }),
  }),
}

const agenda = definePlugin({
  name: 'agenda',
  setup: () => ({
    restorers: [
      { name: 'agenda', restore: () => [{ what: 'agenda', text: 'Water the plants.', status: 'live' as const }] },
    ],
    hooks: { UserPromptSubmit: (_event, { note }) => note({ text: 'It is raining.', trust: 'content' }) },
  }),
})

/** A session whose summaries on the shared cache are never any good. */
async function plain() {
  const worked = await work({
    model: 'claude-opus-5-5',
    calls: 3,
    before: [{ type: 'thinking', thinking: 'A secret thought.' }],
    summary: ({ tools }, count) => (tools.length > 0 ? 'No.' : nine({ 2: `Summary ${count}.` })),
  })
  const session = await begin(worked, { plugins: [compact(), agenda], tools: [camera] })
  await eventsOf(session.query([{ type: 'text', text: 'Look at this.' }, image]))
  return { worked, session }
}

describe('a summary by a plain call', () => {
  it('sends words alone: media by name, calls and results written out, no thinking, no tools', async () => {
    const { worked, session } = await plain()
    const told = listen(session)
    await session.compact()
    expect(told.verdicts()).toEqual(['shared failed', 'plain taken'])
    const body = JSON.parse(worked.requests.at(-1)?.body ?? '')
    expect(body).not.toHaveProperty('tools')
    expect(body.max_tokens).toBe(20_000)
    const blocks = body.messages.flatMap(({ content }: { content: { type: string }[] }) => content)
    expect(new Set(blocks.map(({ type }: { type: string }) => type))).toEqual(new Set(['text']))
    const words = blocks.map(({ text }: { text: string }) => text).join('\n')
    expect(words).not.toContain(PIXEL)
    expect(words).not.toContain('A secret thought.')
    expect(words.match(/\[image\]/g)).toHaveLength(4)
    expect(words).toContain('[called read with {"path":"src/file-0.ts"}]')
    expect(words).toContain('[result of read]\nSeen in src/file-0.ts.')
    expect(words).toContain('[failure of read]\nSeen in src/file-1.ts.')
    expect(words).toContain('It is raining.')
    expect(body.messages.at(-1).role).toBe('user')
  })

  it('leaves out what comes back with the fold anyway, and shows the summary before it', async () => {
    const { worked, session } = await plain()
    await session.compact()
    await say(session, 'Go on.')
    expect(worked.requests.at(-1)?.body).toContain('Water the plants.')
    await session.compact()
    const body = worked.requests.at(-1)?.body ?? ''
    expect(body).toContain('Summary 2.')
    expect(body).not.toContain('Water the plants.')
    await say(session, 'And on.')
    expect(worked.requests.at(-1)?.body).toContain('Water the plants.')
    expect(worked.requests.at(-1)?.body.match(/Water the plants/g)).toHaveLength(1)
  })

  it.each([
    ['claude-sonnet-4-6', undefined],
    ['claude-opus-5', { type: 'disabled' }],
    ['claude-opus-5-5', undefined],
  ])('sends no thinking, whatever the session does: %s', async (model, thinking) => {
    const worked = await work({
      model,
      thinking: { type: 'adaptive' },
      calls: 2,
      summary: ({ tools }) => (tools.length > 0 ? 'No.' : nine()),
    })
    const session = await begin(worked)
    await say(session, 'Read it.')
    const outcome = await session.compact()
    expect(outcome.edit?.reason).toBe('summarised by a plain call')
    const [shared, plainly] = worked.requests
      .filter(({ source }) => source === 'compact')
      .map(({ body }) => JSON.parse(body))
    expect(shared.thinking).toEqual({ type: 'adaptive' })
    expect(plainly.thinking).toEqual(thinking)
    expect(worked.requests.every(({ status }) => status === 200)).toBe(true)
  })
})
