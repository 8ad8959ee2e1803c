import type { ReplyBlock } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { anthropicModel } from '../../src/anthropic/index.js'
import { clearing } from './clearing.js'
import { countedTools } from './counted-tools.js'
import {
  call,
  endOf,
  expectSameAfterResume,
  expectSoundLog,
  listed,
  recoveries,
  run,
  STEPS,
  startTrial,
  stepped,
  type Trial,
  unmarked,
} from './trial.js'
import { watchedStore } from './watched-store.js'

const DONE = { type: 'end', reason: 'done' }
const modelsOf = ({ bodies }: Trial) => bodies.map((body) => (JSON.parse(body) as { model: string }).model)
const limitsOf = ({ bodies }: Trial) => bodies.map((body) => (JSON.parse(body) as { max_tokens: number }).max_tokens)
const keysOf = ({ counted }: Trial) => counted.runs.map(({ key }) => key)

describe('a model that stays overloaded', () => {
  it('is stood in for from the third time on, until the turn ends', async () => {
    const trial = await startTrial(stepped(STEPS))
    const other = anthropicModel({ model: 'claude-sonnet-5', apiKey: 'test', baseURL: trial.simulator.url })
    const session = await trial.start({ tools: trial.counted.tools, details: { fallback: other } })
    trial.simulator.faults.add({ kind: 'overloaded', times: 3 })
    const events = await run(session, 'Work.')
    expect(endOf(events)).toEqual(DONE)
    expect(recoveries(events)).toEqual(['retry', 'retry', 'fallback'])
    const [main, stand] = ['claude-opus-5-5', other.info.id]
    expect(modelsOf(trial)).toEqual([main, main, main, stand, main, main])
  })

  it.each(['claude-sonnet-5-5', 'claude-sonnet-5'])(
    'keeps the session going over the thinking of %s',
    async (model) => {
      const thought = (text: string): ReplyBlock => ({ type: 'thinking', thinking: text })
      const steps = [
        [thought('One.'), call('look', 'a')],
        [thought('Two.'), call('look', 'b')],
        [thought('Three.'), 'Done.'],
      ]
      const thinking = { type: 'adaptive' }
      const trial = await startTrial(stepped(steps), { adapter: { thinking } })
      const connection = { apiKey: 'test', baseURL: trial.simulator.url, thinking }
      const fallback = anthropicModel({ model, ...connection })
      const store = watchedStore()
      const session = await trial.start({ tools: trial.counted.tools, store, details: { fallback } })
      trial.simulator.faults.add({ kind: 'overloaded', times: 3, after: 1 })
      const events = await run(session, 'Work.')
      expect([endOf(events), recoveries(events).slice(0, 3)]).toEqual([DONE, ['retry', 'retry', 'fallback']])
      await expectSameAfterResume({ ...trial, session, store }, 'And more?')
      expectSoundLog({ ...trial, store })
    },
  )

  it('is still stood in for when the answer of the other model is cut', async () => {
    const trial = await startTrial(listed([{ content: ['Half'], stop: 'max_tokens' }, 'Whole.']))
    const other = anthropicModel({ model: 'claude-sonnet-5', apiKey: 'test', baseURL: trial.simulator.url })
    const session = await trial.start({ details: { fallback: other } })
    trial.simulator.faults.add({ kind: 'overloaded', times: 3 })
    expect(endOf(await run(session, 'Work.'))).toEqual(DONE)
    expect(modelsOf(trial).slice(3)).toEqual([other.info.id, other.info.id])
    expect(limitsOf(trial)[4]).toBe(other.info.maxOutput)
  })
})

describe('an answer at the output limit', () => {
  const cut = { content: ['Part. ', call('look', 'a'), call('write', 'b')], stop: 'max_tokens' as const }

  it('is asked for once more with a higher limit, and no call runs twice', async () => {
    const whole = [call('look', 'a'), call('write', 'b')]
    const trial = await startTrial(listed([cut, whole, 'Done.']))
    const events = await run(trial.session, 'Work.')
    expect([endOf(events), recoveries(events)]).toEqual([DONE, ['raise-output']])
    expect(limitsOf(trial).slice(0, 2)).toEqual([32_000, 128_000])
    expect(keysOf(trial)).toEqual(['look a', 'write b'])
    expectSoundLog(trial)
    await expectSameAfterResume(trial, 'And more?')
  })

  it('is then gone on with three times at most, without the calls that were cut', async () => {
    const trial = await startTrial(listed([cut, cut, cut, cut, [call('look', 'a')], 'Done.']))
    const events = await run(trial.session, 'Work.')
    expect(recoveries(events)).toEqual(['raise-output', ...Array(3).fill('continue-output')])
    expect(endOf(events)).toEqual(DONE)
    expect(keysOf(trial)).toEqual(['look a'])
    expectSoundLog(trial)
    await expectSameAfterResume(trial, 'And more?')
  })

  it('is the end, and the reason for it, when it is cut for ever', async () => {
    const trial = await startTrial(() => cut)
    const events = await run(trial.session, 'Work.')
    expect(recoveries(events)).toEqual(['raise-output', ...Array(3).fill('continue-output')])
    expect(endOf(events)).toEqual({ type: 'end', reason: 'max-tokens' })
    expect(keysOf(trial)).toEqual(['look a'])
    expectSoundLog(trial)
  })

  it('is in the log together with the wish to go on', async () => {
    const trial = await startTrial(listed([cut, cut, 'Done.']))
    trial.store.before((batch) => {
      const isCut = batch.some((entry) => entry.kind === 'assistant' && entry.stop === 'max_tokens')
      if (isCut) expect(batch.map(({ kind }) => kind)).toEqual(['assistant', 'user'])
    })
    expect(endOf(await run(trial.session, 'Work.'))).toEqual(DONE)
  })
})

describe('an answer that is no end', () => {
  it('is sent again when the server has paused, also after a resume', async () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'pearls' } }
    const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
    const paused = { content: ['I search. ', search], stop: 'pause_turn' as const }
    const trial = await startTrial(listed([paused, [found, 'Nothing there.']]))
    trial.simulator.faults.add({ kind: 'spend-cap', after: 1 })
    const first = await run(trial.session, 'Search.')
    expect([recoveries(first), endOf(first).error?.code]).toEqual([['resume-pause'], 'SPEND_CAP'])
    expect(endOf(await expectSameAfterResume(trial))).toEqual(DONE)
    const [, refused, again] = trial.bodies.map((body) => unmarked(body))
    expect(again).toEqual(refused)
    expect(again?.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expectSoundLog(trial)
  })

  it('is nudged once when it is empty, and never asked for by the same request', async () => {
    const trial = await startTrial(listed(['', '', 'Well.']))
    const events = await run(trial.session, 'Speak.')
    expect([endOf(events), recoveries(events)]).toEqual([DONE, ['empty-answer']])
    expect(trial.bodies).toHaveLength(2)
    expect(unmarked(trial.bodies[0])).not.toEqual(unmarked(trial.bodies[1]))
    expectSoundLog(trial)
    await expectSameAfterResume(trial, 'And more?')
  })

  it('has no holes where the model wrote blank text', async () => {
    const blank = { type: 'text' as const, text: '\n\n' }
    const trial = await startTrial(
      listed([[blank, call('look', 'a'), blank, call('write', 'b')], 'Done.', 'Yes.', 'Yes.']),
    )
    expect(endOf(await run(trial.session, 'Work.'))).toEqual(DONE)
    expect(JSON.stringify(trial.store.entries())).not.toContain('null,')
    expect(keysOf(trial)).toEqual(['look a', 'write b'])
    await expectSameAfterResume(trial, 'And more?')
  })
})

describe('an answer that fills the window', () => {
  const filled = { content: ['And so on. ', call('look', 'a')], stop: 'model_context_window_exceeded' as const }

  it('is left out and the turn made again when something can be freed', async () => {
    const trial = await startTrial(
      listed([[call('write', 'x')], [call('write', 'y')], filled, [call('look', 'a')], 'Done.']),
      {
        session: { plugins: [clearing] },
      },
    )
    const events = await run(trial.session, 'Work.')
    expect([endOf(events), recoveries(events)]).toEqual([DONE, ['overflow']])
    expect(keysOf(trial)).toEqual(['write x', 'write y', 'look a'])
    expectSoundLog(trial)
    await expectSameAfterResume(trial, 'And more?')
  })

  it('is an error when nothing can be freed, and nothing of it is kept', async () => {
    const trial = await startTrial(listed([filled, 'Done.', 'Done.']))
    expect(endOf(await run(trial.session, 'Work.'))).toMatchObject({ error: { code: 'PROMPT_TOO_LONG' } })
    expectSoundLog(trial)
    expect(endOf(await expectSameAfterResume(trial, 'In short?'))).toEqual(DONE)
  })
})

describe('a refusal', () => {
  it('ends the query and leaves the turn out of what is sent next', async () => {
    const trial = await startTrial(listed([{ content: ['No.'], stop: 'refusal' }, 'Of course.', 'Of course.']))
    expect(endOf(await run(trial.session, 'Do harm.'))).toEqual({ type: 'end', reason: 'refused' })
    const more = await expectSameAfterResume(trial, 'Do good.')
    expect(endOf(more)).toEqual(DONE)
    expect(trial.bodies.at(-1)).not.toContain('Do harm.')
    expectSoundLog(trial)
  })

  it('after calls leaves only the answer out, so that every call keeps its result', async () => {
    const trial = await startTrial(listed([[call('look', 'a')], { content: ['No.'], stop: 'refusal' }]))
    expect(endOf(await run(trial.session, 'Look.'))).toEqual({ type: 'end', reason: 'refused' })
    expect(endOf(await expectSameAfterResume(trial, 'Then tell me.'))).toEqual(DONE)
    expectSoundLog(trial)
  })
})

describe('limits', () => {
  it.each([
    [{ maxTurns: 2 }, 'max-turns', 2],
    [{ maxBudgetUsd: 0.000_001 }, 'budget', 1],
  ])('of %o end the query with their reason, and nothing is lost', async (limits, reason, requests) => {
    const trial = await startTrial(stepped(STEPS), { session: { details: { limits } } })
    expect(endOf(await run(trial.session, 'Work.'))).toEqual({ type: 'end', reason })
    expect(trial.bodies).toHaveLength(requests)
    expectSoundLog(trial)
    const more = await trial
      .start({ tools: countedTools().tools, store: trial.store, open: { resume: trial.session.id } })
      .catch((error: unknown) => error)
    expect(more).toMatchObject({ code: 'SESSION_BUSY' })
    await trial.session.close()
    const resumed = await trial.start({
      tools: trial.counted.tools,
      store: trial.store,
      open: { resume: trial.session.id },
    })
    expect(endOf(await run(resumed))).toEqual(DONE)
    expectSoundLog(trial)
  })
})

describe('a log that can not be written', () => {
  it.each(['user', 'assistant'])(
    'ends the query where an entry of kind %s fails, and is gone on with',
    async (kind) => {
      const trial = await startTrial(stepped(STEPS))
      let left = kind === 'user' ? 3 : 1
      trial.store.before((batch) => {
        if (batch[0]?.kind === kind && left-- === 0) throw new Error('The disk is full.')
      })
      expect(endOf(await run(trial.session, 'Work.'))).toMatchObject({ reason: 'error' })
      const again = await expectSameAfterResume(trial, 'Go on.')
      expect(endOf(again)).toEqual(DONE)
      expectSoundLog(trial)
    },
  )
})

it('tells of an answer and of a result when they are in the log, not before', async () => {
  const trial = await startTrial(stepped(STEPS))
  const missing: string[] = []
  const log = () => JSON.stringify(trial.store.entries())
  trial.session.events.on('response', ({ entry }) => log().includes(entry.id) || missing.push(entry.id))
  trial.session.events.on('tool-end', ({ call: { id } }) => log().includes(`"tool_use_id":"${id}"`) || missing.push(id))
  expect(endOf(await run(trial.session, 'Work.'))).toEqual(DONE)
  expect(missing).toEqual([])
})
