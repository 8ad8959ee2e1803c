import type { Block, SessionOptions } from '@nacre/core'
import { scripted } from '@nacre/simulator'
import { expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { eventsOf, setUp } from '../support/start-session.js'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const image = (data = PIXEL): Block => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } })
const shown = (words: string, data?: string): Block[] => [{ type: 'text', text: words }, image(data)]

const NO_FOLDS = { 'compact.summary': false, 'compact.digest': false }

async function talk(session: Partial<SessionOptions> = {}) {
  const setup = await setUp(scripted(() => 'I see.'))
  const { simulator, requests } = setup
  return {
    session: await setup.start({ plugins: [compact()], flags: NO_FOLDS, ...session }),
    overflow: () => simulator.faults.add({ kind: 'too-long', times: 1 }),
    last: () => JSON.parse(requests.at(-1)?.body ?? '') as { readonly messages: { readonly content: Block[] }[] },
  }
}

it('takes old images out at an overflow, says what they were, and leaves every word and the last image', async () => {
  const { session, overflow, last } = await talk()
  await eventsOf(session.query(shown('This is the first.')))
  await eventsOf(session.query(shown('This is the second.')))
  overflow()
  const events = await eventsOf(session.query(shown('This is the last.')))
  expect(events.at(-1)).toMatchObject({ reason: 'done' })
  const users = last().messages.filter(({ content }) => content.some(({ text }) => String(text).startsWith('This')))
  const kinds = users.map(({ content }) => content.map(({ type }) => type))
  expect(kinds).toEqual([
    ['text', 'text'],
    ['text', 'text'],
    ['text', 'image'],
  ])
  expect(users[0]?.content[1]?.text).toMatch(/^\[image, image\/png, 1 kB: taken out .*Recall entry \S+\. .*\]$/)
  expect(users.map(({ content }) => content[0]?.text)).toEqual([
    'This is the first.',
    'This is the second.',
    'This is the last.',
  ])
})

it('takes the last image too when nothing else helps, and never a word of the prompt', async () => {
  const { session, overflow, last } = await talk()
  overflow()
  const events = await eventsOf(session.query(shown('What is this?')))
  expect(events.at(-1)).toMatchObject({ reason: 'done' })
  const [{ content } = { content: [] }] = last().messages
  expect(content[0]?.text).toBe('What is this?')
  expect(content[1]?.text).toMatch(/^\[image, /)
})

it('takes an image out of the result that holds it', async () => {
  const setup = await setUp(
    scripted((turn) =>
      turn.messages.length === 1 ? [{ type: 'tool_use', id: 'toolu_1', name: 'Look', input: {} }] : 'I see.',
    ),
  )
  const session = await setup.start({
    plugins: [compact()],
    flags: NO_FOLDS,
    tools: [
      {
        name: 'Look',
        description: 'Looks.',
        schema: { json: { type: 'object' }, parse: (input) => input },
        isReadOnly: () => true,
        isConcurrencySafe: () => true,
        run: () => ({ content: [{ type: 'text', text: 'Seen:' }, image()] }),
      },
    ],
  })
  await eventsOf(session.query('Look at it.'))
  setup.simulator.faults.add({ kind: 'too-long', times: 1 })
  await eventsOf(session.query('And now?'))
  const body = setup.requests.at(-1)?.body ?? ''
  expect(body).not.toContain(PIXEL)
  expect(body).toMatch(/"Seen:"\},\{"type":"text","text":"\[image, image\/png/)
})

it('leaves images alone as long as the API takes them, and while the flag is off', async () => {
  const calm = await talk()
  for (const words of ['One.', 'Two.', 'Three.']) await eventsOf(calm.session.query(shown(words)))
  expect(JSON.stringify(calm.last())).not.toContain('taken out')
  const off = await talk({ flags: { ...NO_FOLDS, 'compact.clear': false } })
  off.overflow()
  const events = await eventsOf(off.session.query(shown('What is this?')))
  expect(events.at(-1)).toMatchObject({ reason: 'error' })
})
