import { expect, it, vi } from 'vitest'
import { ask, byTask, extracting, hasResults, memoryCall, memoryFile, say, setStage } from './support/stage.js'

const TABS = {
  name: 'Tabs for indentation',
  type: 'feedback',
  quote: 'please always indent with tabs, not spaces',
  statement: 'Always indent with tabs, not spaces.',
}
const SAID = `For the parser: ${TABS.quote}. I dislike spaces.`
const filler = 'Go on with the parser. '.repeat(200)

it('recalls in a second session what the first has learnt where it fits, and not where it does not', async () => {
  const stage = await setStage(byTask({ extract: extracting(TABS), main: () => 'I will indent with tabs.' }))
  await say(stage, SAID)
  const [learnt] = await (await stage.memories()).list()
  expect(learnt).toMatchObject({ scope: 'person', memory: { name: TABS.name, type: 'feedback' }, isIndexed: false })
  const second = await stage.open()
  await ask(second, 'Should I indent this file with tabs or with spaces?')
  expect(stage.exchanges.filter(({ source }) => source === 'main').at(-1)?.body).toContain('Always indent with tabs')
  await ask(second, 'And the tabs again, do I indent with them?')
  const bodies = stage.exchanges.filter(({ source }) => source === 'main').map(({ body }) => body)
  expect(bodies.at(-1)?.split('Always indent with tabs, not spaces.').length).toBe(2)
  await second.close()
  const third = await stage.open()
  await ask(third, 'What is the weather like in Lisbon?')
  expect(stage.exchanges.filter(({ source }) => source === 'main').at(-1)?.body).not.toContain(
    'Always indent with tabs',
  )
})

it('has the index in the prompt from the start, and a memory that is added in between breaks no cache', async () => {
  const stage = await setStage(byTask({ extract: extracting(TABS) }))
  await (await stage.memories()).add('The release freeze begins on 2026-12-01.', {
    type: 'project',
    name: 'Release freeze',
  })
  const session = await stage.open()
  await ask(session, filler)
  const first = stage.exchanges[0]?.body ?? ''
  expect(JSON.stringify(JSON.parse(first).system)).toContain('[Release freeze](release-freeze.md)')
  await ask(session, SAID)
  await (await stage.memories()).add('I like short answers.')
  const bodies = () =>
    stage.exchanges.flatMap(({ source, body }) => (source === 'main' ? [JSON.parse(body) as { system: unknown }] : []))
  await vi.waitFor(async () => {
    await ask(session, `${filler} Once more.`)
    expect(JSON.stringify(bodies().at(-1))).toContain('Saved to long-term memory since the last prompt')
  }, 30_000)
  expect(session.breaks()).toEqual([])
  const systems = bodies().map(({ system }) => JSON.stringify(system).replace(/,"cache_control":\{[^}]*\}/g, ''))
  expect(new Set(systems).size).toBe(1)
})

it('reads at least the request that it extends from the cache', async () => {
  const stage = await setStage(byTask({ extract: extracting(TABS) }))
  const entries: { source: string; input: number; read: number; write5m: number }[] = []
  stage.simulator.observe(({ entry }) => entries.push(entry))
  await say(stage, `${filler} ${SAID}`)
  const main = entries.find(({ source }) => source === 'main')
  const extraction = entries.find(({ source }) => source === 'extract_memories')
  expect(extraction?.read).toBeGreaterThanOrEqual((main?.input ?? 0) + (main?.read ?? 0) + (main?.write5m ?? 0))
})

it('makes no call where nothing was said that could hold a fact', async () => {
  const stage = await setStage(byTask({ extract: extracting(TABS) }))
  await say(
    stage,
    'Run the tests.',
    'ok',
    'What does the parser do?',
    '```\nI always use tabs, my friend\n```',
    'go on',
  )
  expect(stage.exchanges.map(({ source }) => source)).not.toContain('extract_memories')
})

it('runs once more after ten ends of turns during one run', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let asked = 0
  const stage = await setStage(
    byTask({
      extract: async (turn) => {
        asked += 1
        if (asked === 1) await held
        return hasResults(turn) ? 'Saved.' : 'Nothing.'
      },
    }),
  )
  const session = await stage.open()
  for (let number = 0; number < 11; number++) await ask(session, `I prefer answer number ${number} to the others.`)
  release()
  await session.close()
  expect(asked).toBe(2)
  expect(stage.exchanges.filter(({ source }) => source === 'extract_memories').at(-1)?.body).toContain(
    'answer number 10',
  )
})

it('leaves out a range in which the agent itself has written, and goes on behind it', async () => {
  const file = memoryFile(TABS)
  const stage = await setStage(
    byTask({
      main: (turn) =>
        hasResults(turn) || !JSON.stringify(turn.messages.at(-1)).includes('tabs')
          ? 'Saved.'
          : [memoryCall({ command: 'create', path: '/memories/person/tabs.md', file_text: file })],
      extract: () => 'Nothing.',
    }),
  )
  const session = await stage.open()
  await ask(session, `Save this: ${SAID}`)
  expect(stage.exchanges.map(({ source }) => source)).not.toContain('extract_memories')
  await ask(session, 'I work in Lisbon, and my team is called Iris.')
  await session.close()
  expect(stage.exchanges.filter(({ source }) => source === 'extract_memories')).toHaveLength(1)
  const [saved] = await (await stage.memories()).list()
  expect(saved?.memory).toMatchObject({ name: TABS.name, source: { kind: 'session', evidence: [{ by: 'user' }] } })
  expect((await (await stage.memories()).log())[0]?.commit.cause).toMatchObject({ by: 'agent' })
})

it('reads first and writes then, and tells the model why something was refused', async () => {
  const results: string[] = []
  let turn = 0
  const stage = await setStage(
    byTask({
      extract: ({ messages }) => {
        results.push(JSON.stringify(messages.at(-1)?.content))
        turn += 1
        if (turn === 1) return [memoryCall({ command: 'view', path: '/memories' })]
        if (turn === 2) {
          return [
            memoryCall({
              command: 'create',
              path: '/memories/person/a.md',
              file_text: memoryFile({ ...TABS, quote: 'I never said this at all' }),
            }),
            memoryCall({ command: 'create', path: '/etc/passwd', file_text: memoryFile(TABS) }),
            memoryCall({ command: 'create', path: '/memories/../../escape.md', file_text: memoryFile(TABS) }),
            memoryCall({ command: 'delete', path: '/memories/person/a.md' }),
            memoryCall({ command: 'view', path: '/memories' }),
          ]
        }
        return 'Enough.'
      },
    }),
  )
  await say(stage, SAID)
  expect(results[1]).toContain('There are no memories yet')
  expect(results[2]).toContain('is not in the log that it names')
  expect(results[2]).toContain('/etc/passwd lies outside of /memories')
  expect(results[2]).toContain('escape.md lies outside of /memories')
  expect(results[2]).toContain('delete is not for this task')
  expect(results[2]).toContain('All reads come before the first write')
  expect(await (await stage.memories()).list()).toEqual([])
})

it('keeps to its dollars a day, and says so once', async () => {
  const stage = await setStage(byTask({ extract: extracting(TABS) }))
  const session = await stage.open({}, { dailyDollars: 0 })
  const notices: string[] = []
  session.events.on('notice', ({ notice }) => notices.push(notice.text))
  await ask(session, SAID)
  await ask(session, SAID)
  await session.close()
  expect(stage.exchanges.map(({ source }) => source)).not.toContain('extract_memories')
  expect(notices.filter((text) => text.includes('has cost its $0'))).toHaveLength(1)
})

it('is off with its flag, and after three failures in a row', async () => {
  const stage = await setStage(byTask({ extract: extracting(TABS) }))
  const off = await stage.open({ flags: { 'dream.extract': false } })
  await ask(off, SAID)
  await off.close()
  expect(stage.exchanges.map(({ source }) => source)).toEqual(['main'])
  const session = await stage.open()
  const notices: string[] = []
  session.events.on('notice', ({ notice }) => notices.push(notice.text))
  stage.simulator.faults.add({ kind: 'too-long', source: 'extract_memories', times: 3 })
  for (let number = 0; number < 4; number++) {
    await ask(session, `${SAID} ${number}`)
    await session.command('dream status')
  }
  await session.close()
  expect(notices.join('\n')).toContain('No more memories are extracted until the session is opened again')
})
