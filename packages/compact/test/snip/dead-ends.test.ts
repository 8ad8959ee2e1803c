import type { ReliefDecision } from '@nacre/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { lastRequest, long, run, runTool, type Step, stepping } from './working.js'

const OTHERS_OFF = { 'compact.clear': false, 'compact.summary': false, 'compact.digest': false, 'compact.api': false }
const FAILURE = `fail:${long('broken', 1_500)}`

/** A first turn by these steps, then more prompts until the view is under pressure. */
async function play(steps: readonly Step[], results: readonly string[], prompts = 1) {
  const setup = await setUp(stepping(steps), { window: 20_000 })
  const session = await setup.start({ plugins: [compact()], flags: OTHERS_OFF, tools: [runTool(results)] })
  const decisions: ReliefDecision[] = []
  session.events.on('relief', ({ decision }) => decisions.push(decision))
  await eventsOf(session.query('Make it build'))
  for (let turn = 0; turn < prompts; turn++) await eventsOf(session.query(`Again ${turn}: ${long('please', 6_000)}`))
  const drops = session.view().rounds.flatMap(({ content = [] }) => content.map(({ text }) => String(text)))
  const dead = decisions.filter(({ name }) => name === 'snip-dead-ends')
  return { ...setup, session, drops, dead }
}

const attempt = (number: number, command = 'make') => [run(command, `toolu_${number}`)]

describe('dead ends', () => {
  it('go when a call failed in the same way again and again and succeeded in the end', async () => {
    const steps = [attempt(0, 'ls'), attempt(1), attempt(2), attempt(3), 'It builds.']
    const { drops, dead, requests, session } = await play(steps, ['a.c', FAILURE, FAILURE, 'built'])
    expect(drops).toEqual([
      expect.stringMatching(
        /^\[2 rounds left out here: the same call of Run failed with the same error each time, and succeeded later\. Recall reads/,
      ),
    ])
    expect(dead).toContainEqual(expect.objectContaining({ verdict: 'taken', rung: 'clear', owner: 'compact' }))
    expect(lastRequest(requests)).toContain('It builds.')
    expect(lastRequest(requests)).not.toContain('broken broken')
    expect(requests.every(({ status }) => status === 200)).toBe(true)
    await session.undo()
    expect(session.view().rounds.every(({ content }) => !content)).toBe(true)
  })

  it.each<[string, readonly Step[], readonly string[]]>([
    ['a call that failed once', [attempt(0, 'ls'), attempt(1), attempt(2), 'Done.'], ['a', FAILURE, 'built']],
    [
      'failures that never ended in a success',
      [attempt(0, 'ls'), attempt(1), attempt(2), 'I give up.'],
      ['a', FAILURE, FAILURE],
    ],
    [
      'failures that differ',
      [attempt(0, 'ls'), attempt(1), attempt(2), attempt(3), 'Done.'],
      ['a', FAILURE, `${FAILURE} otherwise`, 'built'],
    ],
    [
      'another input that succeeded',
      [attempt(0, 'ls'), attempt(1), attempt(2), attempt(3, 'make -B'), 'Done.'],
      ['a', FAILURE, FAILURE, 'built'],
    ],
    [
      'rounds that say more than the attempt',
      [
        attempt(0, 'ls'),
        [long('thought', 200), ...attempt(1)],
        [long('thought', 200), ...attempt(2)],
        attempt(3),
        'Done.',
      ],
      ['a', FAILURE, FAILURE, 'built'],
    ],
    [
      'a round with the prompt',
      [attempt(1), [...attempt(2), run('ls', 'toolu_ls')], attempt(3), 'Done.'],
      [FAILURE, FAILURE, 'a', 'built'],
    ],
  ])('are not seen in %s', async (_name, steps, results) => {
    const { drops, dead } = await play(steps, results)
    expect(drops).toEqual([])
    expect(dead).toEqual([])
  })

  it('stay while their turn is open, and where a cut does not pay', async () => {
    const steps = [attempt(0, 'ls'), attempt(1), attempt(2), attempt(3), 'It builds.', 'Fine.']
    const open = await play(steps, ['a.c', FAILURE, FAILURE, 'built'], 0)
    expect(open.dead).toEqual([])
    const idle = await play(
      ['Hello.', ...steps],
      ['a.c', `fail:${long('broken', 300)}`, `fail:${long('broken', 300)}`, 'ok'],
      1,
    )
    expect(idle.drops).toEqual([])
  })

  it('never take a prompt, a success or the last turn, whatever the order of calls', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ fails: fc.boolean(), command: fc.constantFrom('make', 'test') }), { maxLength: 9 }),
        async (calls) => {
          const steps = [attempt(0, 'ls'), ...calls.map(({ command }, index) => attempt(index + 1, command)), 'Done.']
          const results = ['a', ...calls.map(({ fails }, index) => (fails ? FAILURE : `good ${index}.`)), 'rest']
          const { requests, drops } = await play(steps, results)
          const sent = lastRequest(requests)
          expect(sent).toContain('Make it build')
          expect(calls.every(({ fails }, index) => fails || sent.includes(`good ${index}.`))).toBe(true)
          const repeated = ['make', 'test'].some((command) => {
            const own = calls.filter((call) => call.command === command)
            const last = own.findLastIndex(({ fails }) => !fails)
            return own.slice(0, Math.max(0, last)).filter(({ fails }) => fails).length > 1
          })
          if (drops.length > 0) expect(repeated).toBe(true)
          expect(requests.every(({ status }) => status === 200)).toBe(true)
        },
      ),
      { seed: 11, numRuns: 12 },
    )
  })
})
