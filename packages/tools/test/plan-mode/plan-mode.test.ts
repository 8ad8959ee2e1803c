import { lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { definePlugin, memoryStore, type Session, type SessionOptions } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool, enterPlanMode, exitPlanMode, planFile, planMode, textOf, todos } from '../../src/index.js'
import { foldAllButLast, LONG_ANSWER } from '../support/folding.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { toolContext } from '../support/tool-context.js'
import { expectExtensions, newParts, requestParts } from '../todos/request-parts.js'

const PLAN = '# Plan\n\n1. Move the parser.\n2. Test it.'

const use = (name: string, input: object = {}) => ({ type: 'tool_use' as const, name, input: input as never })
const ENTER = use('EnterPlanMode')
const EXIT = use('ExitPlanMode', { plan: PLAN })
const CHANGE = use('Touch', { path: 'src/a.ts' })
const LOOK = use('Touch', { path: '' })

/** A tool that only reads when it is given no path, and what it has done. */
function touching() {
  const done: string[] = []
  const touch = defineTool({
    name: 'Touch',
    description: 'Touches a file.',
    input: z.object({ path: z.string() }),
    traits: { isReadOnly: ({ path }) => path === '' },
    title: ({ path }) => `Touch ${path}`,
    run({ path }) {
      done.push(path)
      return `touched ${path}`
    },
  })
  return { touch, done }
}

async function planning(replies: Parameters<typeof scripted>[0], answer: 'allow' | 'deny' = 'allow') {
  const setup = await setUp(scripted(replies))
  const cwd = await temporaryFolder()
  const { touch, done } = touching()
  const asked: string[] = []
  const ask = async (_call: unknown, reason: string) => {
    asked.push(reason)
    return answer
  }
  const start = (over: Partial<SessionOptions> = {}) =>
    setup.start({ cwd, tools: [touch], plugins: [planMode(), foldAllButLast], details: { ask }, ...over })
  return { ...setup, start, cwd, done, asked }
}

async function say(session: Session, ...prompts: readonly string[]) {
  for (const prompt of prompts) await eventsOf(session.query(prompt))
}

describe('in plan mode', () => {
  it('what changes something is denied, with words on what to do; what only reads runs', async () => {
    const { start, bodies, done } = await planning([[ENTER], [LOOK, CHANGE], 'I see.'])
    await say(await start(), 'Move the parser.')
    expect(done).toEqual([''])
    expect(bodies.at(-1)).toContain('this call of Touch may change something, so it did not run')
    expect(bodies.at(-1)).toContain('the plan that you give to ExitPlanMode')
  })

  it('what the same answer asks for after the mode was entered is denied too', async () => {
    const { start, done } = await planning([[ENTER, CHANGE], 'I see.'])
    await say(await start(), 'Move the parser.')
    expect(done).toEqual([])
  })

  it('a person reads the plan, and with a yes it is kept in a file and the mode is off', async () => {
    const { start, bodies, done, asked, cwd } = await planning([[ENTER], [EXIT], [CHANGE], 'Done.'])
    const session = await start()
    await say(session, 'Move the parser.')
    expect(asked).toEqual([expect.stringContaining(PLAN)])
    expect(done).toEqual(['src/a.ts'])
    const file = planFile(cwd, session.id)
    expect(await readFile(file, 'utf8')).toBe(`${PLAN}\n`)
    if (process.platform !== 'win32') expect((await lstat(file)).mode & 0o777).toBe(0o600)
    expect(newParts(bodies, 2)).toContain(`The plan is approved, and plan mode is off. It is kept in ${file}.`)
    expect(await session.command('plan')).toBe(`Plan mode is off.\nThe plan (approved, ${file}):\n\n${PLAN}`)
  })

  it('a no keeps the mode on, and nothing is written', async () => {
    const { start, bodies, done, cwd } = await planning([[ENTER], [EXIT], [CHANGE], 'Well.'], 'deny')
    const session = await start()
    await say(session, 'Move the parser.')
    expect(done).toEqual([])
    expect(newParts(bodies, 2)).toMatch(/Permission was not given.*plan mode stays on/)
    expect(await session.command('plan')).toBe('Plan mode is on. There is no plan.')
    await expect(lstat(join(cwd, '.nacre'))).rejects.toThrow('ENOENT')
  })

  it('a person is asked also where another gate lets everything pass', async () => {
    const reason = 'Everything may run.'
    const lenient = definePlugin({
      name: 'lenient',
      setup: () => ({ hooks: { PreToolUse: () => ({ verdict: 'allow', reason }) } }),
    })
    const { start, done, asked } = await planning([[ENTER], [EXIT], [CHANGE], 'Well.'], 'deny')
    await say(await start({ plugins: [lenient, planMode()] }), 'Move the parser.')
    expect(asked).toEqual([expect.stringContaining(PLAN)])
    expect(done).toEqual([])
  })

  it('a session without a person can not leave it by itself', async () => {
    const { start, done } = await planning([[ENTER], [EXIT], [CHANGE], 'Well.'])
    await say(await start({ details: {} }), 'Move the parser.')
    expect(done).toEqual([])
  })

  it('a tool that can not say whether it reads is denied', async () => {
    const odd = { ...touching().touch, name: 'Odd', isReadOnly: (): boolean => JSON.parse('{') }
    const { start, bodies } = await planning([[ENTER], [use('Odd', { path: '' })], 'Well.'])
    await say(await start({ tools: [odd] }), 'Move the parser.')
    expect(newParts(bodies, 2)).toContain('is_error')
    expect(newParts(bodies, 2)).not.toContain('touched')
  })
})

describe('a change of mode', () => {
  it('by a person is told once, with the next request, and extends what was sent before', async () => {
    const replies = ['Hello.', [CHANGE], 'I see.', 'Yes.', [CHANGE], 'Done.', 'Yes.']
    const { start, bodies, done } = await planning(replies)
    const session = await start()
    await say(session, 'Hello.')
    expect(await session.command('plan', 'on')).toBe('Plan mode is on.')
    expect(await session.command('plan', 'on')).toBe('Plan mode is on already.')
    await say(session, 'Move the parser.', 'Is it so?')
    expect(done).toEqual([])
    expect(await session.command('plan', ' off ')).toBe('Plan mode is off.')
    await say(session, 'Go.', 'Is it so?')
    expect(done).toEqual(['src/a.ts'])
    expectExtensions(bodies)
    expect(session.breaks()).toEqual([])
    expect(bodies.map((body) => body.split('Plan mode is on. Nothing').length - 1)).toEqual([0, 1, 1, 1, 1, 1, 1])
    expect(bodies.map((body) => body.split('Plan mode is off. Tools').length - 1)).toEqual([0, 0, 0, 0, 1, 1, 1])
  })

  it('that is taken back before anybody was told of it is told to nobody', async () => {
    const { start, bodies } = await planning(['Hello.', 'Yes.'])
    const session = await start()
    await say(session, 'Hello.')
    await session.command('plan', 'on')
    await session.command('plan', 'off')
    await say(session, 'Is it so?')
    expect(bodies.at(-1)).not.toContain('Plan mode is o')
  })

  it('by a person is told after a resume, and after a rewind that has taken the telling back', async () => {
    const store = fileStore({ home: await temporaryFolder(), project: 'plans' })
    const { start, bodies, done } = await planning(['Hello.', 'Aha.', [CHANGE], 'I see.'])
    const session = await start({ store })
    await say(session, 'Hello.')
    await session.command('plan', 'on')
    await session.close()
    const resumed = await start({ store, open: { resume: session.id } })
    await say(resumed, 'Think about it.')
    expect(newParts(bodies, 1)).toContain('Plan mode is on. Nothing')
    await resumed.rewind(resumed.view().rounds[1]?.span.from as string)
    await say(resumed, 'Move the parser.')
    expect(done).toEqual([])
    expect(bodies.at(-1)?.split('Plan mode is on. Nothing')).toHaveLength(2)
  })

  it('by the model survives a resume and is taken back by a rewind', async () => {
    const store = fileStore({ home: await temporaryFolder(), project: 'plans' })
    const { start, bodies, done } = await planning(['Hello.', [ENTER], 'Thinking.', [CHANGE], 'Hm.', [CHANGE], 'Done.'])
    const session = await start({ store })
    await say(session, 'Hello.', 'Move the parser.')
    await session.close()
    const resumed = await start({ store, open: { resume: session.id } })
    await say(resumed, 'Go.')
    expect(done).toEqual([])
    expectExtensions(bodies)
    await resumed.rewind(resumed.view().rounds[1]?.span.from as string)
    expect(await resumed.command('plan')).toBe('Plan mode is off. There is no plan.')
    await say(resumed, 'Just do it.')
    expect(done).toEqual(['src/a.ts'])
    expect(bodies.at(-1)).not.toContain('Plan mode is o')
  })

  it('leaves system and tools as they are', async () => {
    const { start, bodies } = await planning([[ENTER], [EXIT], 'Done.'])
    await say(await start(), 'Move the parser.')
    expectExtensions(bodies)
    const heads = bodies.map((body) => requestParts(body).filter((part) => part.startsWith('{')))
    expect(new Set(heads.map((head) => head.join())).size).toBe(1)
    expect(heads[0]?.join()).toContain('EnterPlanMode')
  })
})

describe('after a fold', () => {
  it('plan mode is still on, and the model is told so', async () => {
    const { start, bodies, done } = await planning([[ENTER], LONG_ANSWER, LONG_ANSWER, [CHANGE], 'Hm.'])
    const session = await start()
    await say(session, 'Think.', 'More.')
    const restored = [{ what: 'plan mode', status: 'live', owner: 'plan-mode' }]
    expect(await session.compact()).toMatchObject({ receipt: { restored } })
    await say(session, 'Go.')
    expect(done).toEqual([])
    expect(bodies.at(-2)).toMatch(/restored what=\\"plan mode\\" status=\\"live\\">.{0,80}Plan mode is on\. Nothing/)
  })

  const approved = async () => {
    const plan = await planning([[ENTER], [EXIT], LONG_ANSWER, LONG_ANSWER])
    const session = await plan.start()
    await say(session, 'Think.')
    const fold = async () => {
      await say(session, 'More.')
      const outcome = (await session.compact()) as { edit: object; receipt: { restored: readonly object[] } }
      return { restored: outcome.receipt.restored, edit: JSON.stringify(outcome.edit) }
    }
    return { ...plan, session, fold }
  }
  const list = (status: string) => use('Todo', { todos: [{ content: 'move', status }] })

  it('an approved plan is in force', async () => {
    const { fold } = await approved()
    const { restored, edit } = await fold()
    expect(restored).toMatchObject([{ what: 'plan', status: 'live' }])
    expect(edit).toContain('1. Move the parser.')
    expect(edit).not.toContain('has changed since')
  })

  it('a plan is done when a person says so', async () => {
    const { session, fold } = await approved()
    expect(await session.command('plan', 'done')).toBe('The plan is done.')
    expect(await session.command('plan')).toContain('The plan (done')
    const { restored, edit } = await fold()
    expect(restored).toMatchObject([{ what: 'plan', status: 'consumed' }])
    expect(edit).toContain('nothing in it is to be carried out again')
  })

  it.each([
    { before: [], after: [list('completed')], status: 'consumed' },
    { before: [], after: [list('in_progress')], status: 'live' },
    { before: [list('completed')], after: [], status: 'live' },
  ])('a plan is $status by its todos: $before.length lists before, $after.length after', async (given) => {
    const { before, after, status } = given
    const turns = (calls: readonly ReturnType<typeof use>[]) => calls.map((call) => [call])
    const { start } = await planning([...turns(before), [ENTER], [EXIT], ...turns(after), LONG_ANSWER, LONG_ANSWER])
    const session = await start({ plugins: [planMode(), todos(), foldAllButLast] })
    await say(session, 'Think.', 'More.')
    const { receipt } = (await session.compact()) as { receipt: { restored: readonly { what: string }[] } }
    expect(receipt.restored.find(({ what }) => what === 'plan')).toMatchObject({ status })
  })

  it('a plan comes back as it was approved, and a changed file is told of', async () => {
    const { session, cwd, fold } = await approved()
    await writeFile(planFile(cwd, session.id), '# Plan\n\n1. Delete everything.')
    const { edit } = await fold()
    expect(edit).toContain('1. Move the parser.')
    expect(edit).toContain('(the file has changed since)')
    expect(edit).not.toContain('Delete everything')
  })

  it.each([
    { kept: 'a file', name: 'plans', rest: /Read \S+plans\.md for the others/ },
    { kept: 'the session alone', name: undefined, rest: /The person can see all of it with \/plan/ },
  ])('a plan in force that finds no room is cut, points to $kept, and the receipt says so', async ({ name, rest }) => {
    const steps = Array.from({ length: 900 }, (_, index) => `${index + 1}. Move part ${index} of the parser.`).join(
      '\n',
    )
    const list = use('Todo', { todos: [{ content: 'move the parser', status: 'in_progress' }] })
    const turns = [[ENTER], [use('ExitPlanMode', { plan: steps })], [list], ...Array(6).fill(LONG_ANSWER)]
    const { start, cwd } = await planning(turns)
    if (name === undefined) await writeFile(join(cwd, '.nacre'), 'no folder')
    const session = await start({
      plugins: [planMode(), todos(), foldAllButLast],
      details: { ask: async () => 'allow', limits: { contextBudget: 40_000 } },
      open: { id: 'plans' },
    })
    await say(session, 'Think.', 'More.', 'More.', 'More.')
    const outcome = await session.compact()
    if (!outcome.edit) throw new Error(JSON.stringify(outcome))
    const { restored, leftOut } = outcome.receipt
    expect(leftOut ?? []).toEqual([])
    expect(restored).toMatchObject([
      { what: 'todo list', status: 'live' },
      { what: 'plan', status: 'live', cut: expect.stringMatching(/^lines 1 to \d+ of 900$/) },
    ])
    const texts = outcome.edit.changes.flatMap((change) => (change.kind === 'insert' ? [change.note.text] : []))
    const shown = texts.join().match(/^\d+\. Move part/gm)?.length
    expect(texts.join()).toContain(`(Lines 1 to ${shown} of 900. `)
    expect(texts.join()).toMatch(rest)
  })

  it('the old plan is for reference while a new one is made', async () => {
    const { session, fold } = await approved()
    await session.command('plan', 'on')
    const { restored } = await fold()
    expect(restored).toMatchObject([
      { what: 'plan mode', status: 'live' },
      { what: 'plan', status: 'reference' },
    ])
  })
})

describe('the plan file', () => {
  const inFolder = async (prepare: (cwd: string, other: string) => Promise<unknown>, id = 'plans') => {
    const { start, bodies, cwd } = await planning([[ENTER], [EXIT], 'Done.'])
    const other = await temporaryFolder()
    await prepare(cwd, other)
    const session = await start({ store: memoryStore(), open: { id } })
    await say(session, 'Move the parser.')
    return { session, other, cwd, text: newParts(bodies, 2) }
  }

  it.skipIf(process.platform === 'win32')('is not written through a link, and the approval stands', async () => {
    const { session, other, text } = await inFolder((cwd, elsewhere) => symlink(elsewhere, join(cwd, '.nacre')))
    expect(text).toMatch(/plan mode is off. It could not be written to a file \(.*link to another place\)/)
    await expect(lstat(join(other, 'plans'))).rejects.toThrow('ENOENT')
    expect(await session.command('plan')).toContain('1. Move the parser.')
  })

  it.skipIf(process.platform === 'win32')('is not written over what another link points to', async () => {
    const { other } = await inFolder(async (cwd, elsewhere) => {
      await mkdir(join(cwd, '.nacre', 'plans'), { recursive: true })
      await writeFile(join(elsewhere, 'mine.md'), 'mine')
      await symlink(join(elsewhere, 'mine.md'), join(cwd, '.nacre', 'plans', 'plans.md'))
    })
    expect(await readFile(join(other, 'mine.md'), 'utf8')).toBe('mine')
  })

  it('that can not be written stops nothing', async () => {
    const { text } = await inFolder((cwd) => writeFile(join(cwd, '.nacre'), 'a file'))
    expect(text).toContain('plan mode is off. It could not be written to a file')
  })

  it('stays in its folder whatever the session is called', async () => {
    const { cwd } = await inFolder(async () => undefined, '../../escaped')
    expect(planFile(cwd, '../../escaped')).toMatch(/\.nacre[\\/]plans[\\/]-escaped-[0-9a-f]{8}\.md$/)
    expect(await readFile(planFile(cwd, '../../escaped'), 'utf8')).toBe(`${PLAN}\n`)
    expect(planFile(cwd, 'a/b')).not.toBe(planFile(cwd, 'a-b'))
  })
})

describe('the tools of plan mode', () => {
  it('say without a session that there is no plan mode', async () => {
    const exit = exitPlanMode('none')
    const context = toolContext(await temporaryFolder())
    const entered = await enterPlanMode.run({}, context)
    expect(textOf(entered)).toBe('There is no plan mode outside of a session.')
    expect(enterPlanMode.show({}, entered)).toBe('There is no plan mode outside of a session.')
    expect(await exit.run({ plan: PLAN }, context)).toMatchObject({ isError: true })
    expect(await exit.check?.({ plan: PLAN }, context)).toMatchObject({ verdict: 'deny' })
  })

  it('are never cleared, and only the way out is not read-only', () => {
    const exit = exitPlanMode('none')
    expect([enterPlanMode.isCompactable, exit.isCompactable]).toEqual([false, false])
    expect([enterPlanMode.isReadOnly({}), exit.isReadOnly({ plan: PLAN })]).toEqual([true, false])
    expect(enterPlanMode.isConcurrencySafe({})).toBe(false)
  })

  it('say so where the mode is what it is to become', async () => {
    const { start, bodies } = await planning([[EXIT], [ENTER], [ENTER], 'Well.'])
    await say(await start(), 'Move the parser.')
    expect(newParts(bodies, 1)).toContain('Plan mode is not on')
    expect(newParts(bodies, 3)).toContain('Plan mode is on already.')
  })
})

it('tells people what else the command knows', async () => {
  const { start } = await planning([])
  const session = await start()
  expect(await session.command('plan', 'maybe')).toContain('Unknown: maybe.')
  expect(await session.command('plan', 'done')).toBe('There is no plan.')
})
