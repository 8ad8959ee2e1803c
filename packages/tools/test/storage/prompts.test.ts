import { memoryStore, type SessionOptions, type Store } from '@nacre/core'
import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { toolResultStorage } from '../../src/storage/tool-result-storage.js'
import { foldAllButLast } from '../support/folding.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { callOf } from './support/giving-tool.js'
import { isExtension, messagesOf, resultsOf } from './support/request-parts.js'

const PASTED = `Why does this fail?\n${'a line of a log that somebody pasted\n'.repeat(8_000)}That was the log.`
/** The quarter of this is less than what was pasted. */
const SMALL = { limits: { contextBudget: 120_000 } }

function textsOf(body: string | undefined): string[] {
  return messagesOf(body).flatMap(({ role, content }) =>
    role !== 'user' ? [] : typeof content === 'string' ? [content] : content.map(({ text }) => String(text)),
  )
}

async function ask(prompt: string | readonly { type: string; text: string }[], options: Partial<SessionOptions> = {}) {
  const setup = await setUp(scripted(['one', 'two', 'three']))
  const store = memoryStore()
  const own = { plugins: [toolResultStorage()], details: SMALL, store, open: { id: 'asked' }, ...options }
  const session = await setup.start(own)
  const events = await eventsOf(session.query(prompt))
  return {
    ...setup,
    own,
    session,
    end: events.at(-1),
    log: async () => JSON.stringify(await own.store.peek?.('asked')),
  }
}

describe('a prompt of more than 200,000 characters', { timeout: 30_000 }, () => {
  it('enters the view by its two ends, and its text is not in the log', async () => {
    const { bodies, log } = await ask(PASTED)
    const [shown = ''] = textsOf(bodies.at(-1))
    expect(Buffer.byteLength(shown)).toBeLessThan(2_500)
    expect(shown).toMatch(/^<persisted-output>/)
    expect(shown).toContain('Why does this fail?')
    expect(shown).toContain('That was the log.')
    expect((await log()).length).toBeLessThan(20_000)
  })

  it('is sent the same ever after, also after a resume', async () => {
    const { bodies, session, start, own } = await ask(PASTED)
    await eventsOf(session.query('More.'))
    await session.close()
    const resumed = await start({ ...own, plugins: [toolResultStorage()], open: { resume: 'asked' } })
    await eventsOf(resumed.query('More.'))
    expect(isExtension(bodies[1], bodies[0])).toBe(true)
    expect(isExtension(bodies[2], bodies[1])).toBe(true)
  })

  it('stays whole where it takes less than a quarter of what fits, then and later', async () => {
    const { bodies, session } = await ask(PASTED, { details: {} })
    expect(textsOf(bodies.at(-1))).toEqual([PASTED])
    await eventsOf(session.query('More.'))
    expect(textsOf(bodies.at(-1))[0]).toBe(PASTED)
  })

  it('gives up its largest text first, and the others stay', async () => {
    const { bodies } = await ask([
      { type: 'text', text: 'Compare these.' },
      { type: 'text', text: PASTED },
      { type: 'text', text: 'short\n'.repeat(5_000) },
    ])
    const [first, second, third] = textsOf(bodies.at(-1))
    expect([first, third]).toEqual(['Compare these.', 'short\n'.repeat(5_000)])
    expect(second).toMatch(/^<persisted-output>/)
  })

  it('is read on by the model', async () => {
    const { start, bodies } = await setUp((turn) => {
      const [, name = '', offset = ''] =
        /name "(.+?)", offset (\d+)/.exec(JSON.stringify(turn.messages).replaceAll('\\"', '"')) ?? []
      const isRead = JSON.stringify(turn.messages).includes('tool_result')
      return isRead ? 'seen' : [callOf({ name, offset: Number(offset), limit: 2 }, 'ReadResult')]
    })
    const session = await start({ plugins: [toolResultStorage()], details: SMALL })
    await eventsOf(session.query(PASTED))
    const line = 'a line of a log that somebody pasted'
    expect(resultsOf(bodies.at(-1))[0]).toMatch(
      new RegExp(`^${line}\n${line}\n\\[2 of 8002 lines; go on with offset \\d+\\]$`),
    )
  })

  it('is cut with a marker where it can not be kept', async () => {
    const inner = memoryStore()
    const put = () => Promise.reject(new Error('no space left'))
    const store: Store = { ...inner, open: async (id, signal) => ({ ...(await inner.open(id, signal)), put }) }
    const { bodies, end } = await ask(PASTED, { store })
    const [shown = ''] = textsOf(bodies.at(-1))
    expect(end).toMatchObject({ type: 'end', reason: 'done' })
    expect(shown).toMatch(/^<cut-output>/)
    expect(shown.length).toBeLessThanOrEqual(200_000)
    expect(shown).toContain('no space left')
  })

  it('stays whole with the flag off', async () => {
    const { bodies } = await ask(PASTED, { flags: { 'tool-result-storage.prompts': false }, details: {} })
    expect(textsOf(bodies.at(-1))).toEqual([PASTED])
  })
})

it('leaves a shorter prompt alone, however small the context is', async () => {
  const prompt = 'word '.repeat(39_000)
  // A prompt that leaves no room is only taken where something compacts.
  const plugins = [toolResultStorage(), foldAllButLast]
  const { bodies } = await ask(prompt, { plugins, details: { limits: { contextBudget: 60_000 } } })
  expect(textsOf(bodies.at(-1))).toEqual([prompt])
})
