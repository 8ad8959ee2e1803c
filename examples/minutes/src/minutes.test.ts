import { createSession, definePlugin, memoryStore, type Session, type SessionOptions } from '@nacre/core'
import { type ScriptedTurn, scriptedModel } from '@nacre/core/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type MinutesOptions, minutes } from './index.js'

const ON_AGENDA: ScriptedTurn = [{ type: 'tool_use', name: 'agenda', input: { item: 'a happy end' } }]
const ANSWER = 'It rained all day, and nobody went out. '.repeat(200)

/** A session whose forks write minutes; `first` is its first answer. */
async function start(over: Partial<SessionOptions> = {}, options: MinutesOptions = { every: 2 }, first?: ScriptedTurn) {
  const model = scriptedModel(({ fields }, number) => {
    if (fields.extra?.source === 'minutes') return 'It rained.'
    return number === 0 && first ? first : ANSWER
  })
  const session = await createSession({ model, plugins: [minutes(options)], ...over })
  onTestFinished(() => session.close())
  return { session, model }
}

async function talk(session: Session, rounds: number) {
  for (let round = 1; round <= rounds; round++) for await (const _event of session.query(`Chapter ${round}.`));
}

describe('minutes', () => {
  it('are taken beside the conversation, after so many rounds', async () => {
    const { session } = await start()
    await talk(session, 1)
    expect(session.cost('minutes').requests).toBe(0)
    await talk(session, 1)
    // A query does not wait for background work, a close does.
    await session.close()
    expect(session.cost('minutes').requests).toBe(1)
    expect(session.view().state('minutes', 'minutes')).toMatchObject({ text: 'It rained.' })
  })

  it('stand for what they are about when there is no room left', async () => {
    const store = memoryStore()
    const { session } = await start({ store })
    await talk(session, 4)
    await session.close()
    const { session: resumed } = await start({ store, open: { resume: session.id } })
    expect(await resumed.compact()).toMatchObject({ receipt: { rung: 'notes' } })
    expect(JSON.stringify(resumed.view().rounds[0]?.content)).toContain('It rained.')
  })

  it('mention what other plugins ask for', async () => {
    const mention = 'Mention the weather.'
    const weather = definePlugin({ name: 'weather', setup: () => ({ hooks: { PreMinutes: () => ({ mention }) } }) })
    const { session, model } = await start({ plugins: [minutes({ every: 1 }), weather] })
    await talk(session, 1)
    await session.close()
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(mention)
  })

  it('are not taken when their flag is off', async () => {
    const { session } = await start({ flags: { 'minutes.background': false } })
    await talk(session, 4)
    await session.close()
    expect(session.cost('minutes').requests).toBe(0)
  })

  it('fold at once where that is asked for', async () => {
    const { session } = await start({ flags: { 'minutes.eager': true } })
    await talk(session, 4)
    await session.close()
    expect(JSON.stringify(session.view().rounds[0]?.content)).toContain('It rained.')
  })
})

describe('the agenda', () => {
  it('survives a resume and a fold, and is live', async () => {
    const store = memoryStore()
    const { session } = await start({ store }, { every: 2 }, ON_AGENDA)
    await talk(session, 4)
    await session.close()
    const { session: resumed } = await start({ store, open: { resume: session.id } })
    const restored = [{ what: 'agenda', status: 'live', owner: 'minutes' }]
    expect(await resumed.compact()).toMatchObject({ receipt: { restored } })
    expect(resumed.view().state('minutes', 'agenda')).toEqual(['a happy end'])
  })

  it('is taken back by a rewind', async () => {
    const { session } = await start({}, {}, ON_AGENDA)
    await talk(session, 1)
    expect(session.view().state('minutes', 'agenda')).toEqual(['a happy end'])
    await session.rewind(session.view().rounds[0]?.span.from as string)
    expect(session.view().state('minutes', 'agenda')).toBeUndefined()
  })

  it('is shown by the command', async () => {
    const { session } = await start({}, {}, ON_AGENDA)
    expect(await session.command('minutes')).toBe('Nothing was said yet.')
    await talk(session, 1)
    expect(await session.command('minutes')).toBe('There are no minutes yet.\n- a happy end')
  })
})
