import { scriptedModel } from '@nacre/core/testing'
import { expect, it } from 'vitest'
import { shortened } from '../../src/team/summaries.js'
import { gateTool, handClock, settled, sourceOf, startAgent, talk, use } from '../support/talk.js'

it('an agent says every half minute what it does, by the cheapest model, and not again while nothing happens', async () => {
  const clock = handClock()
  const gates = [gateTool('one'), gateTool('two')] as const
  const cheap = scriptedModel(() => '"Waiting at the first of two gates."')
  const { say, team, session, asked } = await talk(
    (source, words) => {
      if (source === 'main')
        return words === 'Go.' ? [startAgent({ prompt: 'x', name: 'a', run_in_background: true })] : 'ok'
      return words === 'x'
        ? [use('one', {})]
        : words === 'open' && asked('agent:a').length < 3
          ? [use('two', {})]
          : 'done'
    },
    {
      tools: gates,
      agents: { model: () => cheap, effects: { timer: clock.timer } },
      details: { effects: { now: clock.now } },
    },
  )
  await say('Go.')
  await gates[0].entered
  await settled()
  expect(team.agents()[0]?.doing).toBeUndefined()
  await clock.pass(30_000)
  expect(team.agents()[0]?.doing).toBe('Waiting at the first of')
  expect(cheap.requests.map(sourceOf)).toEqual(['agent:a:summary'])
  await clock.pass(120_000)
  expect(cheap.requests).toHaveLength(1)
  gates[0].open()
  await gates[1].entered
  await settled()
  await clock.pass(30_000)
  expect(cheap.requests).toHaveLength(2)
  // What it says of itself is part of what it costs, and nothing of its conversation.
  expect(session.cost('agent:a').requests).toBe(4)
  expect(JSON.stringify(asked('agent:a').at(-1))).not.toContain('three to five words')
  gates[1].open()
  await team.wait(undefined, 1e9, new AbortController().signal)
})

it('a summary is one line of five words at most', () => {
  expect(shortened('Reading runAgent.ts.\nAnd more.')).toBe('Reading runAgent.ts')
  expect(shortened('“Fixing the login test now, carefully”')).toBe('Fixing the login test now,')
})
