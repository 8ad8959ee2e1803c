import type { NoticeEntry, Session } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { eventsOf, type SetupOptions, setUp } from '../support/start-session.js'
import { lastRequest, long, run, runTool, type Step, snipCall, stepping } from './working.js'

const OTHERS_OFF = { 'compact.clear': false, 'compact.summary': false, 'compact.digest': false }

async function begin(steps: readonly Step[], results: readonly string[] = [long('output')], options?: SetupOptions) {
  const setup = await setUp(stepping(steps), options)
  const session = await setup.start({ plugins: [compact()], flags: OTHERS_OFF, tools: [runTool(results)] })
  const notices: NoticeEntry[] = []
  session.events.on('notice', ({ notice }) => notices.push(notice))
  const ask = (prompt: string) => eventsOf(session.query(prompt))
  return { ...setup, session, notices, ask }
}

const roundIds = (session: Session) => session.view().rounds.map(({ span }) => span.from)
const contents = (session: Session) =>
  session.view().rounds.flatMap(({ content = [] }) => content.map(({ text }) => text))

describe('the command snip', () => {
  it('lists rounds by short ids, sizes and first words, and explains itself', async () => {
    const { session, ask } = await begin([[run('ls', 'toolu_1')], 'All done here.'])
    expect(await session.command('snip', 'list')).toBe('Nothing was said yet.')
    await ask('Look around, please')
    const lines = (await session.command('snip', 'list')).split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^[\w-]{6,} +\d[\d,]+ tokens {2}> Look around, please$/),
      expect.stringMatching(/^[\w-]{6,} +\d+ tokens {2}All done here\.$/),
    ])
    expect(await session.command('snip')).toContain('snip <id> [to <id>]')
    expect(await session.command('snip', 'a b c')).toContain("'snip a b c' can not be read.")
  })

  it('leaves a round out, keeps what the user said in it, and can be undone', async () => {
    const { session, ask, requests } = await begin([[run('ls', 'toolu_1')], 'Seen.', 'Yes.', 'Again.'])
    await ask('Never use tabs.\n  Look around')
    await ask('Ready?')
    const before = JSON.stringify(session.view().rounds)
    const [first = ''] = (await session.command('snip', 'list')).split(' ')
    const answer = await session.command('snip', first)
    expect(answer).toMatch(/^Snipped: 1 round, about \d+ tokens\. To take it back, undo .+\.$/)
    await ask('Go on')
    expect(lastRequest(requests)).not.toContain('output output')
    expect(lastRequest(requests)).toContain(JSON.stringify('Never use tabs.\n  Look around').slice(1, -1))
    const [note] = contents(session)
    expect(note).toMatch(
      /^\[1 round left out here: taken out by the user\. Recall reads what stood there, from entry .+\]\n/,
    )
    await session.undo()
    expect(JSON.stringify(session.view().rounds.slice(0, 3))).toBe(before)
    expect(requests.every(({ status }) => status === 200)).toBe(true)
  })

  it('names no tool that is not there', async () => {
    const setup = await setUp(stepping([[run('ls', 'toolu_1')], 'Seen.', 'Yes.']))
    const flags = { ...OTHERS_OFF, 'compact.recall': false }
    const session = await setup.start({ plugins: [compact()], flags, tools: [runTool([long('output')])] })
    await eventsOf(session.query('Look'))
    await eventsOf(session.query('Ready?'))
    await session.command('snip', roundIds(session)[0])
    expect(contents(session)[0]).not.toContain('Recall')
  })

  it('takes a range, and says clearly what it can not do', async () => {
    const steps = [[run('ls', 'toolu_1')], [run('pwd', 'toolu_2')], 'Seen.', 'Yes.']
    const { session, ask } = await begin(steps)
    await ask('Look')
    await ask('Ready?')
    const [first = '', second = '', third = '', last = ''] = roundIds(session)
    expect(await session.command('snip', 'zzzzzzzz')).toContain("Nothing in view is called 'zzzzzzzz'")
    expect(await session.command('snip', `${second} to ${first}`)).toContain('name the earlier one first')
    expect(await session.command('snip', last)).toContain('The last prompt is in it')
    expect(await session.command('snip', `${second} to ${third}`)).toMatch(/^Snipped: 2 rounds/)
    expect(await session.command('snip', `${first} to ${third}`)).toContain('was folded or snipped already')
    expect(session.view().rounds).toHaveLength(3)
  })

  it('does nothing while its flag is off', async () => {
    const setup = await setUp(stepping([]))
    const session = await setup.start({ plugins: [compact()], flags: { 'compact.snip': false } })
    expect(await session.command('snip', 'list')).toContain('switched off')
    await eventsOf(session.query('Hello'))
    expect(lastRequest(setup.requests)).not.toContain('"Snip"')
  })
})

describe('the tool Snip', () => {
  it('leaves rounds out from the next request on, with the reason in the note', async () => {
    const steps = [
      [run('a', 'toolu_a')],
      [run('b', 'toolu_b')],
      [snipCall({ from: 'toolu_b', reason: 'It was the wrong file.' })],
      'Done.',
    ]
    const { session, ask, requests } = await begin(steps, [long('first'), long('second')])
    await ask('Work')
    expect(lastRequest(requests)).toContain('first first')
    expect(lastRequest(requests)).not.toContain('second second')
    expect(lastRequest(requests)).toContain('Left out from the next request on: 1 round, about')
    expect(contents(session)[0]).toMatch(/^\[1 round left out here: It was the wrong file\. Recall reads what/)
    await session.undo()
    expect(contents(session)).toEqual([])
  })

  it('finds rounds by how a message begins', async () => {
    const steps = [
      ['Let me look at the log first.', run('a', 'toolu_a')],
      ['And then the other one.', run('b', 'toolu_b')],
      [snipCall({ from: 'And then the  other', to: 'toolu_b', reason: 'useless' })],
      'Done.',
    ]
    const { ask, requests } = await begin(steps, [long('first'), long('second')])
    await ask('Work')
    expect(lastRequest(requests)).not.toContain('second second')
  })

  it.each([
    [{ from: 'toolu_a', reason: 'r' }, 'The last prompt is in it'],
    [{ from: 'toolu_snip', reason: 'r' }, 'It is not finished yet'],
    [{ from: 'nothing like that', reason: 'r' }, 'Nothing in view is called'],
    [{ from: 'toolu_b', reason: ' ' }, 'reason has to be a text'],
  ])('answers with what is wrong: %j', async (input, problem) => {
    const steps = [[run('a', 'toolu_a')], [run('b', 'toolu_b')], [snipCall(input)], 'Done.']
    const { session, ask, requests } = await begin(steps)
    await ask('Work')
    expect(lastRequest(requests)).toContain(problem)
    expect(contents(session)).toEqual([])
  })

  it('tells people when what it proposed is refused after all', async () => {
    const call = (id: string) => snipCall({ from: 'toolu_b', to: 'toolu_c', reason: 'r' }, id)
    const steps = [
      [run('a', 'toolu_a')],
      [run('b', 'toolu_b')],
      [run('c', 'toolu_c')],
      [
        snipCall({ from: 'toolu_b', reason: 'r' }, 'toolu_1'),
        call('toolu_2'),
        snipCall({ from: 'toolu_c', reason: 'r' }, 'toolu_3'),
      ],
      'Done.',
    ]
    const { session, ask, notices, requests } = await begin(steps)
    await ask('Work')
    await session.close()
    expect(notices).toMatchObject([{ level: 'warning', text: expect.stringContaining('is still in view') }])
    expect(requests.every(({ status }) => status === 200)).toBe(true)
  })

  it('is refused once its flag is off, with the same bytes of tools', async () => {
    let isOn = true
    const setup = await setUp(
      stepping([
        [run('a', 'toolu_a')],
        [run('b', 'toolu_b')],
        'Seen.',
        [snipCall({ from: 'toolu_b', reason: 'r' })],
        'Done.',
      ]),
    )
    const live = { read: (name: string) => (name === 'compact.snip' ? isOn : undefined) }
    const session = await setup.start({
      plugins: [compact()],
      flags: OTHERS_OFF,
      tools: [runTool([long('output')])],
      details: { flagSources: { live } },
    })
    await eventsOf(session.query('Work'))
    isOn = false
    await eventsOf(session.query('Go on'))
    expect(lastRequest(setup.requests)).toContain("There is no tool 'Snip', or it is not available now.")
    expect(contents(session)).toEqual([])
  })
})

describe('with thinking that is bound to its prefix', () => {
  it('a snip by the model and one by hand leave requests that are taken', async () => {
    const thinking = (text: string) => ({ type: 'thinking' as const, thinking: text })
    const steps = [
      [thinking('one'), run('a', 'toolu_a')],
      [thinking('two'), run('b', 'toolu_b')],
      [thinking('three'), snipCall({ from: 'toolu_b', reason: 'wrong' })],
      [thinking('four'), run('c', 'toolu_c')],
      [thinking('five'), 'Done.'],
      [thinking('six'), 'Yes.'],
      [thinking('seven'), 'Again.'],
    ]
    const { session, ask, requests } = await begin(steps, [long('output')], { model: 'claude-opus-5-5' })
    await ask('Work')
    await ask('Ready?')
    await session.command('snip', roundIds(session)[0])
    const ends = await ask('Go on')
    expect(ends.at(-1)).toMatchObject({ type: 'end', reason: 'done' })
    await session.undo()
    expect((await ask('And on')).at(-1)).toMatchObject({ reason: 'done' })
    expect(requests.map(({ status }) => status)).toEqual(requests.map(() => 200))
    expect(contents(session)).toHaveLength(1)
  })
})
