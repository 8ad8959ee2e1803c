import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { files, lay } from './support/memories.js'
import { ask, byTask, hasResults, memoryCall, memoryFile, say, setStage } from './support/stage.js'

const HOUR = 3_600_000
const PORT = 'The staging database listens on port 5433.'

it('merges what is said twice, without losing a word, and undo brings both back to the byte', async () => {
  const stage = await setStage(
    byTask({
      dream: (turn) =>
        hasResults(turn)
          ? 'Two were one.'
          : [
              memoryCall({
                command: 'merge',
                paths: ['/memories/b.md'],
                into: '/memories/a.md',
                reason: 'they say the same',
              }),
            ],
    }),
  )
  await lay(stage, { id: 'a', text: PORT }, { id: 'b', text: 'The staging database listens on port 5433!' })
  const before = new Map(await files(stage))
  const session = await stage.open()
  expect(await session.command('dream')).toContain('b: merged into a: they say the same')
  const memories = await stage.memories()
  expect((await memories.list()).map(({ memory }) => memory.id)).toEqual(['a'])
  const [last] = await memories.log()
  expect(last?.commit.cause).toMatchObject({ by: 'dream', details: ['b: merged into a: they say the same'] })
  expect((await memories.list({ withArchive: true })).find(({ memory }) => memory.id === 'b')?.memory).toMatchObject({
    gone: { how: 'merged', into: 'a' },
    body: 'The staging database listens on port 5433!',
  })
  await memories.undo()
  expect(new Map(await files(stage))).toEqual(before)
})

it.each([
  [
    'drops a word that can not be put otherwise',
    { command: 'str_replace', path: '/memories/a.md', old_str: '5433', new_str: 'some port' },
    "lacks '5433'",
  ],
  [
    'claims that two facts are one',
    { command: 'merge', paths: ['/memories/b.md'], into: '/memories/a.md', reason: 'same' },
    "lacks 'Dana'",
  ],
  [
    'renames an id',
    { command: 'str_replace', path: '/memories/a.md', old_str: 'id: a', new_str: 'id: z' },
    'The id of a memory stays as it is',
  ],
  [
    'takes a not away',
    { command: 'str_replace', path: '/memories/c.md', old_str: 'Never deploy', new_str: 'Deploy' },
    'leaves out what is not to be',
  ],
  [
    'writes outside of the folder',
    {
      command: 'create',
      path: '/memories/../x.md',
      file_text: memoryFile({ name: 'x', type: 'project', quote: PORT }),
    },
    'lies outside of /memories',
  ],
  [
    'writes into the folder of the person',
    { command: 'delete', path: '/memories/person/x.md' },
    'is about the memories of the project',
  ],
  [
    'changes where a memory comes from',
    { command: 'str_replace', path: '/memories/a.md', old_str: 'by hand', new_str: 'imported from x' },
    'The source of a memory stays as it is',
  ],
  [
    'invents a quote',
    {
      command: 'create',
      path: '/memories/n.md',
      file_text: memoryFile({ name: 'n', type: 'project', quote: 'The launch is on 2027-01-01' }),
    },
    'is not in the log that it names',
  ],
  [
    'writes the index',
    { command: 'create', path: '/memories/MEMORY.md', file_text: 'x' },
    'MEMORY.md is kept by the runtime',
  ],
  [
    'changes a type',
    { command: 'str_replace', path: '/memories/a.md', old_str: 'type: project', new_str: 'type: user' },
    'Of the head only name and description may be changed',
  ],
  [
    'pins',
    { command: 'insert', path: '/memories/a.md', insert_line: 1, insert_text: 'pinned: true' },
    'Of the head only name and description may be changed',
  ],
  [
    'supersedes by something else',
    { command: 'supersede', path: '/memories/b.md', by: '/memories/a.md', reason: 'newer' },
    'is about something else',
  ],
  [
    'adds what nobody said',
    {
      command: 'insert',
      path: '/memories/a.md',
      insert_line: 20,
      insert_text: 'The user hates Python and loves parrots.',
    },
    'nothing that it was made of says',
  ],
  [
    'adds a secret',
    {
      command: 'insert',
      path: '/memories/a.md',
      insert_line: 20,
      insert_text: `The key is sk-proj-${'a1B2'.repeat(8)}`,
    },
    'holds a secret',
  ],
  [
    'hides a memory among the logs',
    { command: 'rename', old_path: '/memories/a.md', new_path: '/memories/logs/a.md' },
    'is no place for a memory',
  ],
])('refuses a dream that %s, with the reason', async (_name, input, reason) => {
  const results: string[] = []
  const stage = await setStage(
    byTask({
      dream: (turn) => {
        if (!hasResults(turn)) return [memoryCall(input)]
        results.push(JSON.stringify(turn.messages.at(-1)?.content))
        return 'I did it.'
      },
    }),
  )
  await lay(
    stage,
    { id: 'a', text: PORT },
    { id: 'b', text: 'The owner of billing is Dana.' },
    { id: 'c', text: 'Never deploy on a Friday.' },
  )
  const before = new Map(await files(stage))
  const session = await stage.open()
  const said = await session.command('dream')
  expect(`${said}\n${results.join('\n')}`).toContain(reason)
  expect(new Map(await files(stage))).toEqual(before)
})

it('waits for a person where a contradiction would be settled, and takes trifles meanwhile', async () => {
  const stage = await setStage(
    byTask({
      dream: (turn) =>
        hasResults(turn)
          ? 'Done.'
          : [
              memoryCall({
                command: 'supersede',
                path: '/memories/old.md',
                by: '/memories/new.md',
                reason: 'the newer word',
              }),
              memoryCall({ command: 'merge', paths: ['/memories/b.md'], into: '/memories/a.md', reason: 'twice' }),
            ],
    }),
  )
  await lay(
    stage,
    { id: 'a', text: PORT },
    { id: 'b', text: PORT },
    { id: 'old', text: 'Releases are cut on Mondays.' },
    { id: 'new', text: 'Releases are cut on Thursdays.', confirmed: '2026-11-01' },
  )
  const session = await stage.open()
  const said = await session.command('dream')
  expect(said).toContain('b: merged into a')
  expect(said).toContain('1 change waits for you')
  const memories = await stage.memories()
  expect((await memories.list()).map(({ memory }) => memory.id).sort()).toEqual(['a', 'new', 'old'])
  const inbox = await session.command('memory inbox')
  expect(inbox).toContain('old and new contradict each other')
  expect(inbox).toContain('old: superseded by new: the newer word')
  expect(inbox).toContain('- Releases are cut on Mondays.')
  const [item] = await memories.inbox()
  await memories.accept(item?.item.id ?? '')
  expect((await memories.list()).map(({ memory }) => memory.id).sort()).toEqual(['a', 'new'])
  expect(await memories.inbox()).toEqual([])
  await memories.undo()
  expect((await memories.list()).map(({ memory }) => memory.id).sort()).toEqual(['a', 'new', 'old'])
  stage.now += 48 * HOUR
  await session.command('dream')
  const [again] = await memories.inbox()
  await memories.reject(again?.item.id ?? '')
  await session.command('dream')
  expect(await memories.inbox()).toEqual([])
  expect((await memories.list()).map(({ memory }) => memory.id).sort()).toEqual(['a', 'new', 'old'])
})

it('waits where more than a fifth would be archived, or a pinned memory touched, and does less by itself', async () => {
  let doomed: readonly string[] = ['m0']
  const stage = await setStage(
    byTask({
      dream: (turn) =>
        hasResults(turn)
          ? 'Done.'
          : doomed.map((id) => memoryCall({ command: 'delete', path: `/memories/${id}.md`, reason: 'momentary' })),
    }),
  )
  const topics = [
    'apples',
    'bridges',
    'candles',
    'deserts',
    'engines',
    'forests',
    'gardens',
    'harbours',
    'islands',
    'jungles',
  ]
  await lay(
    stage,
    ...topics.map((topic, index) => ({ id: `m${index}`, text: `The team likes ${topic}.`, isPinned: index === 9 })),
  )
  const session = await stage.open()
  const memories = await stage.memories()
  await session.command('dream')
  expect(await memories.list()).toHaveLength(9)
  doomed = ['m1', 'm2']
  expect(await session.command('dream')).toContain('2 of 9 memories would be archived')
  expect(await memories.list()).toHaveLength(9)
  doomed = ['m9']
  expect(await session.command('dream')).toContain('m9 is pinned')
  expect(await memories.list()).toHaveLength(9)
  expect(await memories.inbox()).toHaveLength(3)
})

it('leaves a hand edit that was made while it ran, and is put off', async () => {
  let edit: () => Promise<void> = async () => undefined
  const stage = await setStage(
    byTask({
      dream: async (turn) => {
        if (hasResults(turn)) {
          await edit()
          return 'Done.'
        }
        return [memoryCall({ command: 'merge', paths: ['/memories/b.md'], into: '/memories/a.md', reason: 'twice' })]
      },
    }),
  )
  await lay(stage, { id: 'a', text: PORT }, { id: 'b', text: PORT }, { id: 'c', text: 'The owner of billing is Dana.' })
  const { path } = (await stage.memories()).folders.project
  const change = (name: string) => async () =>
    writeFile(join(path, name), `${await readFile(join(path, name), 'utf8')}\nBy my own hand.\n`)
  const session = await stage.open()
  edit = change('b.md')
  expect(await session.command('dream')).toContain('b.md was edited while it ran')
  expect(await readFile(join(path, 'b.md'), 'utf8')).toContain('By my own hand.')
  edit = change('c.md')
  await lay(stage, { id: 'b', text: PORT })
  expect(await session.command('dream')).toContain('b: merged into a')
  expect(await readFile(join(path, 'c.md'), 'utf8')).toContain('By my own hand.')
  expect((await (await stage.memories()).log()).map(({ commit }) => commit.cause.by).slice(0, 2)).toEqual([
    'dream',
    'hand',
  ])
})

it('asks the gates in their order, and says what it waits for', async () => {
  const stage = await setStage(byTask({ dream: () => 'Nothing to do.' }))
  await lay(stage, { id: 'a', text: PORT })
  for (let number = 0; number < 4; number++) await say(stage, `Task ${number}.`)
  const session = await stage.open({}, { due: { hours: 24, sessions: 5 } })
  expect(await session.command('dream status')).toContain('4 of 5 sessions have been touched')
  expect(await session.command('dream status')).toContain('4 of 5 sessions have been touched')
  await ask(session, 'Go.')
  await session.close()
  expect(stage.exchanges.map(({ source }) => source)).not.toContain('dream')
  stage.now += HOUR
  await say(stage, 'Another.')
  await say(stage, 'And another.')
  expect(stage.exchanges.filter(({ source }) => source === 'dream')).toHaveLength(1)
  stage.now += HOUR
  const later = await stage.open()
  expect(await later.command('dream status')).toMatch(
    /Memories of this project: the last dream was on .* The dream is over; it left the memories as they are. No dream yet: the last one was .* ago/,
  )
})

it('stops a dream that runs in circles, and after three failures tells and waits for a person', async () => {
  const stage = await setStage(byTask({ dream: () => [memoryCall({ command: 'view', path: '/memories/a.md' })] }))
  await lay(stage, { id: 'a', text: PORT })
  const session = await stage.open({}, { due: { hours: 0, sessions: 0 } })
  expect(await session.command('dream')).toContain('it ran in circles')
  await session.command('dream')
  await session.command('dream')
  stage.now += HOUR
  expect(await session.command('dream status')).toContain('3 dreams in a row have failed')
  const before = stage.exchanges.length
  await ask(session, 'Go.')
  await session.close()
  expect(stage.exchanges.slice(before).map(({ source }) => source)).not.toContain('dream')
})

it('is killed by a person, and nothing of it is kept', async () => {
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const stage = await setStage(
    byTask({
      dream: async (turn) => {
        if (!hasResults(turn)) return [memoryCall({ command: 'delete', path: '/memories/a.md', reason: 'x' })]
        asked()
        return new Promise(() => undefined)
      },
    }),
  )
  await lay(
    stage,
    { id: 'a', text: PORT },
    ...['b', 'c', 'd', 'e', 'f'].map((id) => ({ id, text: `The ${id} of all letters.` })),
  )
  const before = new Map(await files(stage))
  const session = await stage.open()
  const dreaming = session.command('dream')
  await isAsked
  expect(await session.command('dream status')).toContain('updating, phase prune')
  expect(await session.command('dream kill')).toContain('is being stopped')
  expect(await dreaming).toContain('stopped; nothing of it was kept')
  expect(new Map(await files(stage))).toEqual(before)
  expect(await session.command('dream status')).toContain('was stopped')
  expect(await session.command('dream kill')).toBe('No dream runs in this session.')
})

it('shows what it would do, and does nothing, in a dry run', async () => {
  const stage = await setStage(
    byTask({
      dream: (turn) =>
        hasResults(turn)
          ? 'Done.'
          : [memoryCall({ command: 'merge', paths: ['/memories/b.md'], into: '/memories/a.md', reason: 'twice' })],
    }),
  )
  await lay(stage, { id: 'a', text: PORT }, { id: 'b', text: PORT })
  const before = new Map(await files(stage))
  const session = await stage.open()
  expect(await session.command('dream', '--dry-run')).toContain('b: merged into a: twice')
  expect(new Map(await files(stage))).toEqual(before)
  expect(await session.command('dream', '--wet')).toContain("not '--wet'")
})

it('may look with the other tools, and do nothing with them', async () => {
  const ran: string[] = []
  const tool = (name: string, isReadOnly: boolean) => ({
    name,
    description: name,
    schema: { json: { type: 'object', properties: {} }, parse: (input: unknown) => input },
    isReadOnly: () => isReadOnly,
    isConcurrencySafe: () => true,
    run: () => {
      ran.push(name)
      return { content: [{ type: 'text', text: 'ok' }] }
    },
  })
  const calls = ['Look', 'Write', 'mcp__x__look', 'Agent'].map((name) => ({
    type: 'tool_use' as const,
    name,
    input: {},
  }))
  const stage = await setStage(byTask({ dream: (turn) => (hasResults(turn) ? 'Done.' : calls) }))
  await lay(stage, { id: 'a', text: PORT })
  const session = await stage.open({
    tools: [tool('Look', true), tool('Write', false), tool('mcp__x__look', true), tool('Agent', true)],
  })
  await session.command('dream')
  expect(ran).toEqual(['Look'])
})

it('reads each part of a log once, and takes nothing outside of it for evidence', async () => {
  const QUOTE = 'our release freeze begins on 2026-12-01'
  const create = memoryCall({
    command: 'create',
    path: '/memories/freeze.md',
    file_text: memoryFile({
      name: 'Freeze',
      type: 'project',
      quote: QUOTE,
      statement: 'The release freeze begins on 2026-12-01.',
    }),
  })
  const seen: string[] = []
  const stage = await setStage(
    byTask({
      dream: (turn) => {
        if (!hasResults(turn))
          return [memoryCall({ command: 'search', query: 'release freeze', in: 'transcripts' }), create]
        seen.push(JSON.stringify(turn.messages.at(-1)?.content))
        return 'Done.'
      },
    }),
  )
  await say(stage, `By the way, ${QUOTE}.`)
  await lay(stage, { id: 'a', text: PORT })
  const session = await stage.open()
  await session.command('dream')
  expect(seen[0]).toContain(QUOTE)
  const memories = await stage.memories()
  const [freeze] = (await memories.list()).filter(({ memory }) => memory.name === 'Freeze')
  expect(freeze?.memory.source).toMatchObject({ evidence: [{ by: 'user', quote: QUOTE }] })
  await memories.undo()
  await session.command('dream')
  expect(seen[1]).toContain('Nothing that was said fits')
  expect(seen[1]).toContain('is not in the log that it names')
})

it('lets a probe that would fail wait for a person', async () => {
  const stage = await setStage(
    byTask({
      main: () => 'The staging database listens on port 5433.',
      dream: (turn) =>
        hasResults(turn) ? 'Done.' : [memoryCall({ command: 'delete', path: '/memories/a.md', reason: 'old' })],
    }),
  )
  await lay(
    stage,
    { id: 'a', text: PORT },
    ...['apples', 'bridges', 'candles', 'deserts', 'engines'].map((topic) => ({
      id: topic,
      text: `The team likes ${topic}.`,
    })),
  )
  await say(stage, 'On which port does the staging database listen?')
  const session = await stage.open()
  expect(await session.command('dream')).toContain('would no longer bring back a')
  expect(await (await stage.memories()).list()).toHaveLength(6)
})

it('promotes by use alone, and says when nothing is promoted for long', async () => {
  const stage = await setStage(
    byTask({ main: () => 'The staging database listens on port 5433.', dream: () => 'Nothing to do.' }),
  )
  await lay(stage, { id: 'a', text: PORT })
  await say(stage, 'On which port does the staging database listen?')
  await say(stage, 'Tell me the port of the staging database.')
  const session = await stage.open()
  await session.command('dream')
  expect((await (await stage.memories()).list())[0]?.isIndexed).toBe(false)
  await say(stage, 'The staging database: which port was it that it listens on?')
  expect(await session.command('dream')).toContain('1 entered the index by use')
  expect((await (await stage.memories()).list())[0]).toMatchObject({ isIndexed: true, uses: 3, cited: 3 })
  stage.now += 40 * 24 * HOUR
  await session.command('dream')
  expect((await (await stage.memories()).list())[0]?.isIndexed).toBe(false)
  const texts: string[] = []
  for (let number = 0; number < 5; number++) texts.push(await session.command('dream'))
  expect(texts.filter((text) => text.includes('Nothing has entered the index in'))).toHaveLength(1)
})
