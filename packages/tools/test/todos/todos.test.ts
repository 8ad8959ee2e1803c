import { type Edit, memoryStore } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { type Todo, textOf, todos, todoTool } from '../../src/index.js'
import { foldAllButLast, LONG_ANSWER } from '../support/folding.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { toolContext } from '../support/tool-context.js'
import { expectExtensions } from './request-parts.js'

const OPEN: readonly Todo[] = [
  { content: 'read the parser', status: 'completed' },
  { content: 'fix the parser', status: 'in_progress' },
  { content: 'test the parser', status: 'pending' },
]
const DONE: readonly Todo[] = OPEN.map(({ content }) => ({ content, status: 'completed' }))

const write = (list: readonly Todo[]) => [{ type: 'tool_use' as const, name: 'Todo', input: { todos: list } as never }]

describe('the tool Todo', () => {
  it('runs without an agent, and shows a check list to people', async () => {
    const input = todoTool.schema.parse({ todos: OPEN })
    const result = await todoTool.run(input, toolContext('.'))
    expect(textOf(result)).toBe('The todo list is kept: 1 of 3 done.')
    expect(todoTool.show(input, result)).toBe('[x] read the parser\n[>] fix the parser\n[ ] test the parser')
    expect(todoTool.title(input)).toBe('Todo list (1 of 3 done)')
  })

  it('takes one item in progress at most, and says what to do about more', () => {
    const two = OPEN.map((todo) => ({ ...todo, status: 'in_progress' }))
    expect(() => todoTool.schema.parse({ todos: two })).toThrow(/At most one item may be in_progress/)
  })

  it.each([[{ content: ' ', status: 'pending' }], [{ content: 'read', status: 'begun' }], [{ content: 'read' }]])(
    'refuses the item %j',
    (item) => {
      expect(() => todoTool.schema.parse({ todos: [item] })).toThrow(/todos\[0\]/)
    },
  )

  it('is never cleared, asks for no permission, and does not run beside others', () => {
    const input = { todos: [...OPEN] }
    expect(todoTool.isCompactable).toBe(false)
    expect([todoTool.isReadOnly(input), todoTool.isConcurrencySafe(input)]).toEqual([true, false])
  })
})

describe('the todo list', () => {
  it('survives a resume from a file and is taken back by a rewind', async () => {
    const store = fileStore({ home: await temporaryFolder(), project: 'todos' })
    const { start } = await setUp(scripted([write(OPEN), 'Noted.', write(DONE), 'Done.']))
    const session = await start({ store, plugins: [todos()] })
    await eventsOf(session.query('Fix the parser.'))
    await session.close()
    const resumed = await start({ store, plugins: [todos()], open: { resume: session.id } })
    expect(await resumed.command('todos')).toBe('[x] read the parser\n[>] fix the parser\n[ ] test the parser')
    await eventsOf(resumed.query('Go on.'))
    expect(await resumed.command('todos')).toContain('[x] test the parser')
    const last = resumed.view().rounds.findLast(({ entries }) => JSON.stringify(entries).includes('Go on.'))
    await resumed.rewind(last?.span.from as string)
    expect(await resumed.command('todos')).toContain('[ ] test the parser')
    await resumed.rewind(resumed.view().rounds[0]?.span.from as string)
    expect(await resumed.command('todos')).toBe('The todo list is empty.')
  })

  it.each([
    { list: OPEN, status: 'live', words: 'Still in force' },
    { list: DONE, status: 'consumed', words: 'nothing in it is to be carried out again' },
  ])('comes back after a fold, and after the next one, as $status', async ({ list, status, words }) => {
    const replies = [write(list), LONG_ANSWER, LONG_ANSWER, 'Yes.', LONG_ANSWER, 'Yes.']
    const { start, bodies } = await setUp(scripted(replies))
    const session = await start({ plugins: [todos(), foldAllButLast] })
    for (const prompt of ['Fix it.', 'Tell me more.']) await eventsOf(session.query(prompt))
    for (const prompt of ['Is it so?', 'And now?']) {
      const { receipt } = (await session.compact()) as { receipt: { restored: readonly object[] } }
      expect(receipt.restored).toMatchObject([{ what: 'todo list', status, owner: 'todos' }])
      await eventsOf(session.query(prompt))
      expect(bodies.at(-1)).toContain(`status=\\"${status}\\"`)
      expect(bodies.at(-1)).toContain(words)
      expect(bodies.at(-1)).toContain('[x] read the parser')
    }
  })

  it('is cut where there is no room for all of it, with what is open at its head', async () => {
    const items = Array.from({ length: 100 }, (_, index): Todo => {
      return { content: `${index} ${'words '.repeat(60)}`.trim(), status: index < 90 ? 'completed' : 'pending' }
    })
    const { start } = await setUp(scripted([write(items), ...Array(4).fill(LONG_ANSWER)]))
    const details = { limits: { contextBudget: 20_000 } }
    const session = await start({ plugins: [todos(), foldAllButLast], details })
    const folds: Edit[] = []
    session.events.on('edit', ({ edit }) => void folds.push(...(edit.receipt ? [edit] : [])))
    for (const prompt of ['Fix it.', 'Tell me more.', 'And more.']) await eventsOf(session.query(prompt))
    const [edit] = folds
    expect(edit?.receipt?.restored).toMatchObject([
      { what: 'todo list', cut: expect.stringMatching(/^\d+ of 100 items$/) },
    ])
    const shown = JSON.stringify(edit).match(/\[ \] 9\d words/g)
    expect(shown).toHaveLength(10)
  })

  it('comes back from nothing when it is empty', async () => {
    const { start } = await setUp(scripted([write([]), LONG_ANSWER, LONG_ANSWER]))
    const session = await start({ plugins: [todos(), foldAllButLast] })
    for (const prompt of ['Fix it.', 'Tell me more.']) await eventsOf(session.query(prompt))
    expect(await session.compact()).toMatchObject({ receipt: { restored: [] } })
  })

  it('changes without a change of what was sent before', async () => {
    const { start, bodies } = await setUp(scripted([write(OPEN), write(DONE), write([]), 'Done.', 'Yes.']))
    const session = await start({ plugins: [todos()] })
    for (const prompt of ['Fix it.', 'Is it done?']) await eventsOf(session.query(prompt))
    expectExtensions(bodies)
    expect(session.breaks()).toEqual([])
  })
})

describe('the reminder', () => {
  const talk = async (flags: Readonly<Record<string, boolean>>) => {
    const { start, bodies } = await setUp(scripted([write(OPEN), 'A.', 'B.', 'C.', 'D.', 'E.']))
    const store = memoryStore()
    const options = { store, flags, plugins: [todos({ remindAfter: 2 })] }
    let session = await start(options)
    for (const prompt of ['1', '2', '3', '4', '5']) {
      await eventsOf(session.query(prompt))
      await session.close()
      session = await start({ ...options, open: { resume: session.id } })
    }
    expectExtensions(bodies)
    return bodies.map((body) => body.split('was not changed for a while').length - 1)
  }

  it('comes once for so many answers without a change, also where each is given after a resume', async () => {
    expect(await talk({ 'todos.reminder': true })).toEqual([0, 0, 0, 1, 1, 2])
  })

  it('is off unless it is asked for', async () => {
    expect(await talk({})).toEqual([0, 0, 0, 0, 0, 0])
  })
})
