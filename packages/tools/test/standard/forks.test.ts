import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createSession,
  definePlugin,
  type Entry,
  type Json,
  memoryStore,
  type Request,
  type Session,
  type SessionOptions,
  type ToolContext,
} from '@nacre/core'
import { type ScriptedTurn, scriptedModel } from '@nacre/core/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createPermissions, defineTool, planFile, standardTools } from '../../src/index.js'
import { foldAllButLast, LONG_ANSWER } from '../support/folding.js'
import { eventsOf } from '../support/start-session.js'
import { temporaryFolder } from '../support/temporary-folder.js'

type Call = readonly [name: string, input?: { readonly [key: string]: Json }]

const TODOS = [{ content: 'Greet.', status: 'in_progress' }]
const look = (owner: string, key: string): Call => ['Look', { owner, key }]
const read = (file_path: string): Call => ['Read', { file_path }]
const edit = (old_string: string, new_string: string): Call => ['Edit', { file_path: 'a.txt', old_string, new_string }]
const bash = (command: string): Call => ['Bash', { command }]

/** Works beside the conversation when it is told to by its command, and lets the model look at state. */
function forking(signal?: AbortSignal) {
  return definePlugin({
    name: 'forking',
    setup: () => ({
      tools: [
        defineTool({
          name: 'Look',
          description: 'Shows the state of a plugin.',
          input: z.object({ owner: z.string(), key: z.string() }),
          traits: { isReadOnly: true, isConcurrencySafe: false },
          title: () => 'Look',
          run: ({ owner, key }, { view }: ToolContext) => JSON.stringify(view?.state(owner, key) ?? null),
        }),
      ],
      commands: [
        {
          name: 'fork',
          help: 'Works beside the conversation.',
          async run(_args, { fork }) {
            const prompt = [{ type: 'text', text: 'Work beside it.' }]
            const stop = signal ? { signal } : {}
            return (await fork({ source: 'beside', prompt, maxTurns: 20, allow: () => true, ...stop })).text
          },
        },
      ],
    }),
  })
}

/** A session with every tool in a folder of its own, whose model makes the calls that a test tells it to. */
async function working(over: { readonly options?: Partial<SessionOptions>; readonly signal?: AbortSignal } = {}) {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'a.txt'), 'one\n')
  const permissions = createPermissions({ mode: 'bypass' })
  const answers: ScriptedTurn[] = []
  const requests: Request[] = []
  let calls = 0
  const model = scriptedModel((request) => {
    requests.push(request)
    return answers.shift() ?? 'Done.'
  })
  const store = memoryStore()
  const session = await createSession({
    model,
    cwd,
    store,
    plugins: [
      standardTools({ permissions, mcp: { files: { user: false, project: false } } }),
      foldAllButLast,
      forking(over.signal),
    ],
    details: { ask: async () => 'allow' },
    ...over.options,
  })
  onTestFinished(() => session.close())

  /** One answer for each list of calls; gives what all of them brought. */
  async function inTurn(turns: readonly (readonly Call[])[], work: () => Promise<unknown>): Promise<string[]> {
    const use = ([name, input = {}]: Call) => ({ type: 'tool_use', id: `call-${++calls}`, name, input })
    answers.push(...turns.map((turn) => turn.map(use)))
    const before = requests.length
    await work()
    return requests.slice(before).flatMap(resultsIn)
  }
  return {
    cwd,
    session,
    permissions,
    requests,
    answers,
    log: async () => (await store.peek?.(session.id)) ?? [],
    talk: (...turns: readonly (readonly Call[])[]) => inTurn(turns, () => eventsOf(session.query('Work.'))),
    fork: (...turns: readonly (readonly Call[])[]) => inTurn(turns, () => session.command('fork')),
  }
}

/** What the calls of the last answer have brought. */
function resultsIn({ messages }: Request): string[] {
  const { content } = messages.at(-1) as { content: readonly { type: string; content?: readonly { text: string }[] }[] }
  return content.flatMap((block) =>
    block.type === 'tool_result' ? [(block.content ?? []).map(({ text }) => text).join('\n')] : [],
  )
}

const kept = (session: Session, owner: string, key: string) => session.view().state(owner, key)

describe('a fork', { timeout: 30_000 }, () => {
  it('has a todo list of its own, which begins as that of the conversation', async () => {
    const { session, talk, fork } = await working()
    await talk([['Todo', { todos: TODOS }]])
    const [before, , after] = await fork([look('todos', 'list')], [['Todo', { todos: [] }]], [look('todos', 'list')])
    expect([before, after]).toEqual([JSON.stringify(TODOS), '[]'])
    expect(await session.command('todos')).toBe('[>] Greet.')
    expect(await talk([look('todos', 'list')])).toEqual([JSON.stringify(TODOS)])
  })

  it('that enters plan mode is in it alone', async () => {
    const { cwd, session, talk, fork } = await working()
    await talk()
    const write: Call = ['Write', { file_path: 'b.txt', content: 'new\n' }]
    const [entered, denied] = await fork([['EnterPlanMode']], [write])
    expect(entered).toContain('Plan mode is on.')
    expect(denied).toContain('this call of Write may change something, so it did not run')
    expect(await session.command('plan')).toBe('Plan mode is off. There is no plan.')
    expect(await session.command('mode')).toContain('The mode is bypass.')
    expect(await talk([write])).toEqual([expect.stringContaining('Made')])
    expect(await readFile(join(cwd, 'b.txt'), 'utf8')).toBe('new\n')
  })

  it('of a conversation in plan mode is bound by it when it enters it too, and leaves it for itself', async () => {
    const { cwd, session, talk, fork } = await working()
    await talk([['EnterPlanMode']], [['ExitPlanMode', { plan: 'The plan of the conversation.' }]], [['EnterPlanMode']])
    const write = (file_path: string): Call => ['Write', { file_path, content: 'new\n' }]
    const [free, , denied, approved, made] = await fork(
      [write('b.txt')],
      [['EnterPlanMode']],
      [write('c.txt')],
      [['ExitPlanMode', { plan: 'Another plan.' }]],
      [write('c.txt')],
    )
    expect([free, made]).toEqual([expect.stringContaining('Made'), expect.stringContaining('Made')])
    expect(denied).toContain('it did not run')
    expect(approved).toBe('The plan is approved, and plan mode is off. Carry the plan out now.')
    const shown = await session.command('plan')
    expect(shown).toContain('Plan mode is on.')
    expect(shown).toContain('The plan of the conversation.')
    expect(await readFile(planFile(cwd, session.id), 'utf8')).toBe('The plan of the conversation.\n')
    expect(await talk([write('d.txt')])).toEqual([expect.stringContaining('it did not run')])
  })

  it('has a working folder of its own, which begins as that of the conversation', async () => {
    const { cwd, talk, fork } = await working()
    await mkdir(join(cwd, 'first'))
    await mkdir(join(cwd, 'second'))
    await talk([bash('cd first')])
    expect(await fork([bash('pwd')], [bash('cd ../second')], [bash('pwd')])).toEqual([
      join(cwd, 'first'),
      `[The working folder is now ${join(cwd, 'second')}.]`,
      join(cwd, 'second'),
    ])
    expect(await talk([bash('pwd')])).toEqual([join(cwd, 'first')])
  })

  it('may change what it has read itself, which the conversation has not read by that', async () => {
    const { cwd, talk, fork } = await working()
    await talk()
    const [refused, shown, again, changed] = await fork(
      [edit('one', 'two')],
      [read('a.txt')],
      [read('a.txt')],
      [edit('one', 'two')],
    )
    expect(refused).toContain('was not read')
    expect(shown).toBe('     1\tone')
    expect(again).toContain('unchanged since you read it')
    expect(changed).toContain('Changed')
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('two\n')
    const [unread, whole] = await talk([edit('two', 'three')], [read('a.txt')])
    expect(unread).toContain('was not read')
    expect(whole).toBe('     1\ttwo')
  })

  it('has read what its conversation had read by then', async () => {
    const { talk, fork } = await working()
    await talk([read('a.txt')])
    const [known, changed] = await fork([read('a.txt')], [edit('one', 'two')])
    expect(known).toContain('unchanged since you read it')
    expect(changed).toContain('Changed')
    expect(await talk([edit('two', 'three')])).toEqual([expect.stringContaining('was changed since you have seen it')])
  })

  it('leaves the files that come back after a fold to the conversation', async () => {
    const { cwd, session, talk, fork, answers } = await working()
    await writeFile(join(cwd, 'b.txt'), 'beside\n')
    await talk([read('a.txt')])
    expect(await fork([read('b.txt')], [look('files', 'recent')])).toEqual([
      '     1\tbeside',
      JSON.stringify([join(cwd, 'b.txt'), join(cwd, 'a.txt')]),
    ])
    answers.push(LONG_ANSWER, 'Yes.')
    for (const prompt of ['Tell me more.', 'Is it so?']) await eventsOf(session.query(prompt))
    const { receipt } = (await session.compact()) as { receipt: { restored: readonly { what: string }[] } }
    expect(receipt.restored.map(({ what }) => what)).toEqual([join(cwd, 'a.txt')])
  })

  it('knows the skills that its conversation was told of, and loads others for itself', async () => {
    const { cwd, session, talk, fork } = await working()
    await mkdir(join(cwd, '.claude', 'skills', 'greet'), { recursive: true })
    const file = join(cwd, '.claude', 'skills', 'greet', 'SKILL.md')
    await writeFile(file, '---\nname: greet\ndescription: Greets people.\n---\n\nSay hello.\n')
    await talk()
    const announced = kept(session, 'skills', 'announced')
    expect(JSON.stringify(announced)).toContain('greet')
    const [known, loaded, invoked] = await fork(
      [look('skills', 'announced')],
      [['Skill', { name: 'greet' }]],
      [look('skills', 'invoked')],
    )
    expect(known).toBe(JSON.stringify(announced))
    expect(loaded).toContain('Say hello.')
    expect(invoked).toContain('"name":"greet"')
    expect(kept(session, 'skills', 'invoked')).toBeUndefined()
  })

  it('knows the instructions that its conversation was given, and takes none away from it', async () => {
    const { cwd, session, talk, fork, requests } = await working()
    for (const folder of ['first', 'second']) {
      await mkdir(join(cwd, folder))
      await writeFile(join(cwd, folder, 'AGENTS.md'), `How to work in ${folder}.`)
      await writeFile(join(cwd, folder, 'a.txt'), 'one\n')
    }
    await talk([read('first/a.txt')])
    const given = kept(session, 'instructions', join(cwd, 'first', 'AGENTS.md'))
    const [known] = await fork([look('instructions', join(cwd, 'first', 'AGENTS.md'))], [read('second/a.txt')])
    expect(known).toBe(JSON.stringify(given))
    await talk([read('second/a.txt')])
    expect(JSON.stringify(requests.at(-1)?.messages)).toContain('How to work in second.')
  })

  it('sees stored results as its conversation does, and keeps what it stores to itself', async () => {
    const { session, talk, fork, requests, log } = await working()
    await session.command('result-limits', 'tools.Bash 2000')
    const [preview = ''] = await talk([bash('seq 1 3000')])
    expect(preview).toMatch(/^<persisted-output>/)
    const name = /tool-results\S*\.(?:txt|json)/.exec(preview)?.[0] ?? ''
    const count = (await log()).length
    const [again, rest] = await fork([bash('seq 1 4000')], [['ReadResult', { name, offset: 2999 }]])
    expect(again).toMatch(/^<persisted-output>/)
    expect(rest).toContain('3000')
    const asked = requests.at(-1)?.messages ?? []
    expect(asked.flatMap((message) => resultsIn({ messages: [message] } as unknown as Request))).toContain(preview)
    expect((await log()).slice(count).filter(isPlugins)).toEqual([])
  })

  it('is bound by the rules and the mode that the person has set, and changes neither', async () => {
    const { session, talk, fork, permissions } = await working()
    await talk()
    await session.command('permissions', 'deny Bash(rm:*)')
    expect(await fork([bash('rm a.txt')])).toEqual([expect.stringContaining('deny rule Bash(rm:*)')])
    await session.command('mode', 'plan')
    const [denied] = await fork([['Write', { file_path: 'b.txt', content: 'new\n' }]])
    expect(denied).not.toContain('Made')
    expect(permissions.mode).toBe('plan')
    expect(permissions.rules().map(({ text }) => text)).toEqual(['Bash(rm:*)'])
  })

  it('writes neither state nor notices of plugins into the log of the conversation', async () => {
    const { talk, fork, log } = await working()
    await talk([read('a.txt')])
    const before = (await log()).length
    await fork(
      [['Todo', { todos: TODOS }], read('a.txt'), edit('one', 'two')],
      [bash('mkdir b && cd b'), ['Bash', { command: 'sleep 5', run_in_background: true }]],
      [['EnterPlanMode']],
      [['ExitPlanMode', { plan: 'Another plan.' }]],
      [['KillBash', { id: 'bash_1' }]],
    )
    expect((await log()).slice(before).filter(isPlugins)).toEqual([])
  })

  it('stops with its own signal, and the conversation goes on', async () => {
    const stop = new AbortController()
    const { cwd, session, talk, fork } = await working({ signal: stop.signal })
    await talk()
    const work = fork([bash('echo begun > begun; sleep 20; echo done > begun')])
    while (!(await readFile(join(cwd, 'begun'), 'utf8').catch(() => ''))) await new Promise((go) => setTimeout(go, 20))
    stop.abort()
    await expect(work).rejects.toThrow('The fork was stopped.')
    expect(await talk([bash('cat begun')])).toEqual(['begun'])
    expect(session.view().rounds).toHaveLength(3)
  })
})

function isPlugins(entry: Entry): boolean {
  return 'owner' in entry && entry.owner !== 'core'
}
