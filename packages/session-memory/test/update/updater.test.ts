import { statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { UPDATE_NOTES } from '../../src/index.js'
import { createGates } from '../support/gates.js'
import { edit, startScripted, words } from '../support/scripted.js'

const call = { type: 'tool_use', name: 'look', input: {} }
const look = {
  name: 'look',
  description: 'Looks.',
  schema: { json: { type: 'object' }, parse: (input: unknown) => input },
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: () => ({ content: [{ type: 'text', text: words(1_000) }] }),
}

it('writes the first notes at 10,000 tokens of context, for nobody but their owner to read', async () => {
  const { ask, idle, updates, file, path } = await startScripted()
  await ask(words(8_000))
  await idle()
  expect(updates()).toHaveLength(0)
  expect(file()).toBe('')
  await ask(words(2_500))
  await idle()
  expect(updates()).toHaveLength(1)
  expect(file()).toContain('At work 1.')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('has nothing to note where only the prompt is long', async () => {
  const { ask, idle, updates } = await startScripted({ options: { system: words(11_000) } })
  await ask('Hi.')
  await idle()
  expect(updates()).toHaveLength(0)
  await ask(words(5_500))
  await idle()
  expect(updates()).toHaveLength(1)
})

it('scales its figures down with the window', async () => {
  const { ask, idle, updates } = await startScripted({ window: 20_000 })
  await ask(words(1_100))
  await idle()
  expect(updates()).toHaveLength(1)
})

it('asks for growth, and for three calls or an answer without one', async () => {
  // Calls of 1,000 tokens each; the fifth answer of the second query has none.
  const { ask, idle, updates } = await startScripted({
    main: (_request, number) => (number >= 1 && number <= 9 ? [call] : 'Well.'),
    options: { tools: [look] },
  })
  await ask(words(11_000))
  await idle()
  expect(updates()).toHaveLength(1)
  await ask('Not much.')
  await idle()
  expect(updates().length).toBeGreaterThanOrEqual(2)
  // Nine results came in: 9,000 tokens, so one more update and not two.
  expect(updates()).toHaveLength(2)
  await ask('Small talk.')
  await idle()
  expect(updates()).toHaveLength(2)
})

it('waits for a third call where two have brought enough', async () => {
  const large = { ...look, run: () => ({ content: [{ type: 'text', text: words(6_000) }] }) }
  const seen: number[] = []
  const { ask, idle, updates } = await startScripted({
    main(_request, number) {
      seen.push(updates().length)
      return number >= 1 && number <= 3 ? [call] : 'Well.'
    },
    options: { tools: [large] },
  })
  await ask(words(11_000))
  await idle()
  await ask('Look.')
  await idle()
  // Before the answers: the first prompt, then one for each result. After two results there were 12,000 tokens more.
  expect(seen.slice(0, 4)).toEqual([0, 1, 1, 1])
  expect(updates()).toHaveLength(2)
})

it('refuses its tool in the conversation, also while an update runs', async () => {
  const { gate, next } = createGates()
  const { session, ask, idle, file } = await startScripted({
    gate,
    main: (_request, number) => (number === 1 ? edit({ section: 'Learnings', text: 'Smuggled in.' }) : 'Well.'),
  })
  await ask(words(11_000))
  const open = await next()
  await ask('Now.')
  const results = session.view().rounds.flatMap(({ entries }) => entries.flatMap(({ content }) => content))
  expect(results.find(({ type }) => type === 'tool_result')).toMatchObject({ is_error: true })
  expect(JSON.stringify(results)).toContain('only for updates of the notes')
  open()
  await idle()
  expect(file()).toContain('At work 1.')
  expect(file()).not.toContain('Smuggled in.')
})

it('lets ten triggers during a running update lead to one more', async () => {
  const { gate, next, came } = createGates()
  const { ask, idle, updates, session } = await startScripted({ gate })
  await ask(words(11_000))
  const first = await next()
  for (let number = 0; number < 10; number++) await ask(words(5_500))
  expect(came()).toBe(1)
  first()
  const second = await next()
  second()
  await idle()
  expect(updates()).toHaveLength(2)
  expect(session.view().state('session-memory', 'coverage')).toMatchObject({ turn: 10 })
})

it('lets the running update come to its end at a close, and begins no other', async () => {
  const { gate, next, open } = createGates()
  const { ask, updates, session, file } = await startScripted({ gate })
  await ask(words(11_000))
  const first = await next()
  await ask(words(6_000))
  const closing = session.close()
  first()
  open()
  await closing
  expect(updates()).toHaveLength(1)
  expect(file()).toContain('At work 1.')
})

it('moves the coverage only when an update ended well, and stops after three failures in a row', async () => {
  const answers = ['Nothing to say.', edit({ section: 'Weather', text: 'Rain.' }), 'No.', edit()]
  const { ask, idle, updates, session, notices, file } = await startScripted({
    notes: (_request, number) => answers[number] ?? 'No.',
  })
  for (let number = 0; number < 6; number++) {
    await ask(words(10_500))
    await idle()
  }
  expect(updates()).toHaveLength(3)
  expect(file()).toBe('')
  expect(session.view().state('session-memory', 'coverage')).toBeUndefined()
  expect(notices.map(({ level }) => level)).toEqual(['info', 'info', 'warning'])
  expect(notices[2]?.text).toContain('no more notes')
  // The one after a failure knows of it.
  expect(JSON.stringify(updates()[1]?.messages)).toContain(`${UPDATE_NOTES} was not called`)
  expect(await session.command('memory session')).toContain('There are no more updates')
})

it('takes no edits as an answer once there are notes', async () => {
  const { ask, idle, session, file, notices } = await startScripted({
    notes: (_request, number) => (number === 0 ? edit({ section: 'Learnings', text: 'It rains.' }) : edit()),
  })
  await ask(words(10_500))
  await idle()
  await ask(words(10_500))
  await idle()
  expect(session.view().state('session-memory', 'coverage')).toMatchObject({ turn: 1 })
  expect(file()).toContain('It rains.')
  expect(notices).toEqual([])
})

it('puts headings and hints back that the model has damaged, and says which sections are too large', async () => {
  const long = words(2_600)
  const { ask, idle, updates, file } = await startScripted({
    notes: (_request, number) =>
      number === 0
        ? edit(
            {
              section: 'current state',
              text: '# Current State\n_What is being done right now, and next steps_\nTests are red.',
            },
            { section: 'Learnings', text: `Use pnpm.\n# Worklog\nNot one.` },
            { section: 'Worklog', text: long },
          )
        : edit({ section: 'Current State', how: 'change', old: 'red', text: 'green' }),
  })
  await ask(words(10_500))
  await idle()
  expect(file().match(/^# .*$/gm)).toHaveLength(10)
  expect(file()).toContain('# Current State\n\n_What is being worked on right now')
  expect(file()).not.toContain('being done')
  expect(file()).toContain('Use pnpm.\n## Worklog\nNot one.')
  await ask(words(10_500))
  await idle()
  expect(file()).toContain('Tests are green.')
  const prompt = JSON.stringify(updates()[1]?.messages.at(-1))
  expect(prompt).toMatch(/'Worklog' has about 26\d\d tokens, 6\d\d more than the 2000 allowed/)
  expect(prompt).not.toContain("'Learnings' has about")
  expect(prompt).toContain('The notes cover up to turn 0')
})

it('counts against a cap for the day, over sessions', async () => {
  let day = Date.parse('2026-03-01T10:00:00Z')
  const options = { details: { effects: { now: () => day } } }
  const first = await startScripted({ memory: { dailyDollars: 0.001 }, options })
  await first.ask(words(11_000))
  await first.idle()
  await first.ask(words(11_000))
  await first.idle()
  expect(first.updates()).toHaveLength(1)
  expect(first.notices.map(({ text }) => text)).toEqual([expect.stringContaining('$0.001 for today')])
  const second = await startScripted({ home: first.home, memory: { dailyDollars: 0.001 }, options })
  await second.ask(words(11_000))
  await second.idle()
  expect(second.updates()).toHaveLength(0)
  day += 24 * 3_600_000
  await second.ask(words(11_000))
  await second.idle()
  expect(second.updates()).toHaveLength(1)
})

it('takes a template and a prompt of one’s own', async () => {
  const { ask, idle, updates, file } = await startScripted({
    memory: { template: '# Name\n_One word._\n\n# Rest\n', prompt: ({ notes }) => `Please: ${notes}` },
    notes: () => edit({ section: 'Name', text: 'Ada' }),
  })
  await ask(words(10_500))
  await idle()
  expect(file()).toMatch(/# Name\n\n_One word._\n\nAda\n\n# Rest\n/)
  expect(JSON.stringify(updates()[0]?.messages.at(-1))).toContain('Please: # Name')
})

it('refuses options that make no sense', async () => {
  await expect(startScripted({ memory: { template: 'no headings' } })).rejects.toThrow(/needs headings/)
  await expect(startScripted({ memory: { template: '# A\n# a' } })).rejects.toThrow(/two sections of one name/)
  await expect(startScripted({ memory: { growth: 0 } })).rejects.toThrow(/growth/)
  await expect(startScripted({ memory: { dailyDollars: -1 } })).rejects.toThrow(/dailyDollars/)
})
