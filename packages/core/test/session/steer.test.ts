import { describe, expect, it } from 'vitest'
import { createSession } from '../../src/session/create-session.js'
import type { Session } from '../../src/session/types.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import { scriptedModel } from '../../src/testing/scripted-model.js'
import type { Entry } from '../../src/types/log.js'
import type { Request } from '../../src/types/model.js'
import { definePlugin } from '../../src/types/plugin.js'
import { eventsOf, readFile } from './setup.js'

const call = [{ type: 'tool_use', name: 'read_file', input: { path: 'a.ts' } }]

function lastTexts({ messages }: Request): readonly string[] {
  const { content } = messages.at(-1) as unknown as { content: readonly { type: string; text?: string }[] }
  return content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [block.type]))
}

async function entriesOf(session: Session): Promise<readonly Entry[]> {
  const all: Entry[] = []
  for await (const entry of (await session.inspect()).entries()) all.push(entry)
  return all
}

describe('a message that is put into a session', () => {
  it('is heard at the next tool round of the query that runs', async () => {
    let steered: Promise<void> | undefined
    const model = scriptedModel((_request, number) => {
      if (number === 0) steered = session.steer('Only the tests, please.')
      return number === 0 ? call : 'Done.'
    })
    const session = await createSession({ model, tools: [readFile] })
    await eventsOf(session.query('Look around.'))
    await steered
    expect(lastTexts(model.requests[1] as Request)).toEqual(['tool_result', 'Only the tests, please.'])
    expect(model.requests).toHaveLength(2)
  })

  it('keeps a query going that would have ended', async () => {
    let steered: Promise<void> | undefined
    const model = scriptedModel((_request, number) => {
      if (number === 0) steered = session.steer('And the docs?')
      return `Answer ${number}.`
    })
    const session = await createSession({ model })
    await eventsOf(session.query('Hello.'))
    await steered
    expect(model.requests.map(lastTexts)).toEqual([['Hello.'], ['And the docs?']])
  })

  it('begins the next query where none runs, and is prompt enough for it', async () => {
    const model = scriptedModel([])
    const session = await createSession({ model })
    await session.steer('First.')
    await session.steer('Second.')
    await eventsOf(session.query())
    await session.steer('Third.')
    await eventsOf(session.query('Fourth.'))
    expect(model.requests.map(lastTexts)).toEqual([
      ['First.', 'Second.'],
      ['Third.', 'Fourth.'],
    ])
    const [end] = await eventsOf(session.query())
    expect(end).toMatchObject({ type: 'end', reason: 'error' })
  })

  it('survives a crash, and comes once', async () => {
    const store = memoryStore()
    const model = scriptedModel([])
    const first = await createSession({ model, store, open: { id: 's' } })
    await eventsOf(first.query('Hello.'))
    await first.steer('Kept.', { mark: { from: 'somebody' } })
    await first.close()
    const again = await createSession({ model, store, open: { resume: 's' } })
    await eventsOf(again.query())
    await again.close()
    const third = await createSession({ model, store, open: { resume: 's' } })
    await eventsOf(third.query('And?'))
    expect(model.requests.map(lastTexts)).toEqual([['Hello.'], ['Kept.'], ['And?']])
    const said = (await entriesOf(third)).filter((entry) => entry.kind === 'user')
    expect(said).toHaveLength(3)
    const marks = (await entriesOf(third)).filter((entry) => JSON.stringify(entry).includes('somebody'))
    expect(marks).toHaveLength(1)
  })

  it('is judged by the gates of prompts, and a person hears that it was not passed on', async () => {
    const gate = definePlugin({
      name: 'gate',
      setup: () => ({
        hooks: {
          UserPromptSubmit: ({ prompt }) =>
            JSON.stringify(prompt).includes('secret') ? { verdict: 'block', reason: 'a secret' } : undefined,
        },
      }),
    })
    const model = scriptedModel([])
    const session = await createSession({ model, plugins: [gate] })
    await session.steer('The secret word.')
    await eventsOf(session.query('Hello.'))
    expect(model.requests.map(lastTexts)).toEqual([['Hello.']])
    const notices = (await entriesOf(session)).filter((entry) => entry.kind === 'notice')
    expect(notices).toMatchObject([{ owner: 'gate', text: 'A message was not passed on: a secret' }])
  })

  it('comes from a plugin under its own name, and is not what the person said', async () => {
    const telling = definePlugin({
      name: 'telling',
      setup: ({ session }) => ({
        commands: [{ name: 'tell', help: 'Tells.', run: async (text) => session.steer(text).then(() => 'told') }],
      }),
    })
    const model = scriptedModel([])
    const session = await createSession({ model, plugins: [telling] })
    await session.command('tell', 'It is done.')
    await eventsOf(session.query())
    const users = (await entriesOf(session)).filter((entry) => entry.kind === 'user')
    expect(users).toMatchObject([{ isMeta: true, content: [{ text: 'It is done.' }] }])
  })
})
