import { NacreError } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { gateTool, handClock, lastWords, settled, startAgent, talk, use } from '../support/talk.js'

describe('the limits of an agent are kept by its parent, and its result says which it was:', () => {
  const cases = {
    'it hangs in a tool that listens to nothing': {
      call: 'gate',
      words: /did not finish: its deadline of 60 s has passed/,
    },
    'it goes in circles': { call: 'loop', words: /did not finish: it reached its limit of 4 turns/ },
    'its model fails': { call: 'crash', words: /did not finish: The model is out of order/ },
    'it costs too much': { call: 'spend', words: /did not finish: it went over its limit of \$0.001/ },
  }
  for (const [title, { call, words }] of Object.entries(cases)) {
    it(title, async () => {
      const clock = handClock()
      const gate = gateTool()
      const { say, asked, team } = await talk(
        (source, said) => {
          if (source === 'main') {
            return said === 'Go.' ? [startAgent({ prompt: 'x', name: 'a', deadline_seconds: 60, max_turns: 4 })] : 'ok'
          }
          if (call === 'crash') return new NacreError('INVALID_REQUEST', 'The model is out of order')
          if (call === 'spend') return [{ type: 'text', text: 'word '.repeat(2_000) }, use('gone', {})]
          return call === 'gate' ? [{ type: 'text', text: 'I open the gate.' }, use('gate', {})] : [use('gone', {})]
        },
        {
          tools: [gate],
          agents: { limits: call === 'spend' ? { dollars: 0.001 } : {}, effects: { timer: clock.timer } },
          details: { effects: { now: clock.now } },
        },
      )
      const said = say('Go.')
      if (call === 'gate') {
        await gate.entered
        await settled()
        await clock.pass(60_000)
        await clock.pass(1_000)
      }
      await said
      expect(lastWords(asked('main').at(-1) as never)).toMatch(words)
      if (call === 'gate') expect(lastWords(asked('main').at(-1) as never)).toContain('I open the gate.')
      expect(team.agents()).toMatchObject([{ state: 'failed', result: { isRead: true } }])
    })
  }

  it('the budget of the whole tree is spent', async () => {
    const { say, session, team } = await talk(
      (source, words) => {
        if (source === 'main') return words === 'Go.' ? [startAgent({ prompt: 'x', name: 'a' })] : 'ok'
        return [{ type: 'text', text: 'word '.repeat(2_000) }, use('gone', {})]
      },
      { details: { limits: { maxBudgetUsd: 0.05 } } },
    )
    const end = (await say('Go.')).at(-1)
    expect(team.agents()).toMatchObject([{ state: 'failed', reason: 'the budget of the whole session is spent' }])
    expect(end).toMatchObject({ type: 'end', reason: 'budget' })
    expect(session.cost().dollars).toBeGreaterThanOrEqual(0.05)
    expect(session.cost().dollars).toBeLessThan(0.1)
  })
})

describe('the question of an agent to a person', () => {
  const asking = (ask: Parameters<typeof talk>[1] = {}) =>
    talk(
      (source, words) => {
        if (source === 'main') return words === 'Go.' ? [startAgent({ prompt: 'x', name: 'a' })] : 'ok'
        return words === 'x' ? [use('danger', {})] : `I was told: ${words}`
      },
      {
        ...ask,
        tools: [
          {
            ...gateTool('danger'),
            isReadOnly: () => false,
            check: () => ({ verdict: 'ask', reason: 'It may bite.' }),
            run: () => ({ content: [{ type: 'text', text: 'it ran' }] }),
          },
        ],
      },
    )

  it('reaches the person under the name of the agent', async () => {
    const sources: string[] = []
    const { say, asked } = await asking({
      details: {
        async ask(_call, _reason, _signal, source) {
          sources.push(source)
          return 'allow'
        },
      },
    })
    await say('Go.')
    expect(sources).toEqual(['agent:a'])
    expect(lastWords(asked('main').at(-1) as never)).toBe('I was told: it ran')
  })

  it('is denied with a reason where nobody is there, and where nobody answers in time', async () => {
    const alone = await asking()
    await alone.say('Go.')
    expect(lastWords(alone.asked('main').at(-1) as never)).toContain(
      'Permission was not given: nobody is there to be asked. It may bite.',
    )

    const clock = handClock()
    let isShown = false
    const { say, asked, team } = await asking({
      agents: { effects: { timer: clock.timer } },
      details: {
        effects: { now: clock.now },
        ask: (_call, _reason, signal) =>
          new Promise((resolve) => {
            isShown = true
            signal.addEventListener('abort', () => {
              isShown = false
              resolve('deny')
            })
          }),
      },
    })
    const said = say('Go.')
    await settled()
    expect(isShown).toBe(true)
    expect(team.agents()).toMatchObject([{ asks: 'danger: It may bite.' }])
    await clock.pass(5 * 60_000)
    await said
    expect(isShown).toBe(false)
    expect(lastWords(asked('main').at(-1) as never)).toContain(
      'Permission was not given: nobody answered within 5 min. It may bite.',
    )
  })
})
