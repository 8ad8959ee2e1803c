import { join } from 'node:path'
import { memoryStore, type Session, type SessionOptions } from '@nacre/core'
import { type ReplyBlock, scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { type ShellOptions, shell } from '../../src/index.js'
import { foldAllButLast } from '../support/folding.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { expectEnded, expectRunning, idsFrom } from './processes.js'

type Call = readonly [tool: string, input: Record<string, string | number | boolean>]

/** Sessions in one folder and one store, with a model that makes the calls it is told, all in one answer. */
async function startChat(shellOptions: ShellOptions = {}) {
  const cwd = await temporaryFolder()
  const store = memoryStore()
  let next: readonly ReplyBlock[] = []
  const { start, bodies } = await setUp(
    scripted(() => {
      const now = next
      next = ['Done.']
      return now
    }),
  )
  const plan = (...calls: readonly Call[]) => {
    next = calls.map(([name, input]) => ({ type: 'tool_use' as const, name, input }))
  }
  return {
    cwd,
    bodies,
    plan,
    open(options: Partial<SessionOptions> = {}) {
      const details = { ask: async () => 'allow' as const, ...options.details }
      return start({ plugins: [shell(shellOptions)], cwd, store, ...options, details })
    },
    /** What comes of the calls, in the order of their ends. */
    async call(session: Session, ...calls: readonly Call[]): Promise<string[]> {
      plan(...calls)
      const events = await eventsOf(session.query('Go on.'))
      return events.flatMap((event) => (event.type === 'tool-end' ? [String(event.result.content[0]?.text)] : []))
    },
  }
}

function bash(command: string): Call {
  return ['Bash', { command }]
}

/** The ids of the prompts in view, oldest first. */
function promptsOf(session: Session): string[] {
  const entries = session.view().rounds.flatMap((round) => round.entries)
  return entries.flatMap(({ kind, id, content }) => (kind === 'user' && content[0]?.type === 'text' ? [id] : []))
}

/** Says its id in a file, and ends by the strong signal only. */
const STAYS = `sh -c 'trap "" TERM; echo $$ > id; while :; do sleep 0.05; done'`
const SHORT = { limits: { grace: 100 } }

describe('the working folder', () => {
  it('lasts in a session, comes back with a resume, and is taken back by a rewind', async () => {
    const { cwd, open, call } = await startChat()
    const session = await open()
    await call(session, bash('mkdir a b; cd a'))
    const moved = `[The working folder is now ${cwd}/b.]`
    expect(await call(session, bash('pwd'), bash('cd ../b'), bash('pwd'))).toEqual([`${cwd}/a`, moved, `${cwd}/b`])
    await session.close()
    const resumed = await open({ open: { resume: session.id } })
    expect(await call(resumed, bash('pwd'))).toEqual([`${cwd}/b`])
    const [first = '', second = ''] = promptsOf(resumed)
    await resumed.rewind(second)
    expect(await call(resumed, bash('pwd'))).toEqual([`${cwd}/a`])
    await resumed.rewind(first)
    expect(await call(resumed, bash('pwd'))).toEqual([cwd])
  })

  it('is that of each copy of a session', async () => {
    const { cwd, open, call } = await startChat()
    const session = await open()
    await call(session, bash('mkdir a b; cd a'))
    const copy = await session.fork()
    await call(copy, bash('cd ../b'))
    expect(await call(session, bash('pwd'))).toEqual([`${cwd}/a`])
    expect(await call(copy, bash('pwd'))).toEqual([`${cwd}/b`])
    await copy.close()
  })
})

describe('a command in the background', () => {
  it('ends with its session, and is told to be gone after a resume', async () => {
    const { cwd, open, call } = await startChat(SHORT)
    const session = await open()
    const [started] = await call(session, ['Bash', { command: STAYS, run_in_background: true }])
    expect(started).toMatch(/^Started in the background as bash_1\./)
    const ids = await idsFrom(join(cwd, 'id'))
    expectRunning(ids)
    await session.close()
    expectEnded(ids)
    const resumed = await open({ open: { resume: session.id } })
    const [output, kill, other, again] = await call(
      resumed,
      ['BashOutput', { id: 'bash_1' }],
      ['KillBash', { id: 'bash_1' }],
      ['BashOutput', { id: 'bash_2' }],
      ['Bash', { command: 'true', run_in_background: true }],
    )
    expect(output).toMatch(/^The command bash_1 is gone: /)
    expect(kill).toBe(output)
    expect(other).toMatch(/^There is no command "bash_2"/)
    expect(again).toMatch(/as bash_2\./)
  })

  it('is listed where no id is given', async () => {
    const { open, call } = await startChat(SHORT)
    const session = await open()
    const [none] = await call(session, ['BashOutput', {}])
    expect(none).toBe('Nothing was started in the background.')
    await call(session, ['Bash', { command: 'sleep 60', run_in_background: true }])
    const [list] = await call(session, ['BashOutput', {}])
    expect(list).toMatch(/bash_1[^\n]*\n {2}\$ sleep 60/)
  })

  it('keeps its id through a rewind', async () => {
    const { cwd, open, call } = await startChat(SHORT)
    const session = await open()
    await call(session, ['Bash', { command: STAYS, run_in_background: true }])
    await idsFrom(join(cwd, 'id'))
    await session.rewind(promptsOf(session)[0] ?? '')
    const again: Call = ['Bash', { command: 'true', run_in_background: true }]
    const results = await call(session, again, ['KillBash', { id: 'bash_1' }])
    expect(results).toEqual([
      expect.stringMatching(/as bash_2\./),
      expect.stringMatching(/^bash_1 was ended by KillBash/),
    ])
  })
})

it('what was started and where a cd led is in view again after a fold', async () => {
  const { cwd, bodies, open, call } = await startChat(SHORT)
  const session = await open({ plugins: [shell(SHORT), foldAllButLast] })
  await call(session, bash(`seq 5000; mkdir a; cd a`))
  await call(session, ['Bash', { command: STAYS, run_in_background: true }])
  await call(session)
  await session.compact()
  await call(session)
  expect(bodies.at(-1)).toContain('Some work was done.')
  expect(bodies.at(-1)).toContain(`The working folder of Bash is ${cwd}/a.`)
  expect(bodies.at(-1)).toContain('bash_1: sh -c')
})

it('an abort of a query ends the command, although the query does not wait for that', async () => {
  const { cwd, open, plan } = await startChat(SHORT)
  const session = await open()
  const stop = new AbortController()
  plan(bash(STAYS))
  const events = eventsOf(session.query('Go on.', { signal: stop.signal }))
  const ids = await idsFrom(join(cwd, 'id'))
  expectRunning(ids)
  stop.abort()
  expect((await events).at(-1)).toMatchObject({ type: 'end', reason: 'aborted' })
  await session.close()
  expectEnded(ids)
})

it('asks with the command as the reason, except where it only reads', async () => {
  const asked: string[] = []
  const { open, call } = await startChat({ isReadOnlyCommand: (command) => command === 'pwd' })
  const ask = async (_call: unknown, reason: string) => {
    asked.push(reason)
    return 'deny' as const
  }
  await call(await open({ details: { ask } }), bash('pwd'), bash('touch x'))
  expect(asked).toEqual(['Run in the shell: touch x'])
})

it('runs commands that only read side by side', async () => {
  const { open, call } = await startChat({ isReadOnlyCommand: () => true })
  // Each waits for the other: one after the other they would never end.
  const meet = (own: string, other: string) =>
    bash(`touch ${own}; until test -e ${other}; do sleep 0.02; done; echo ${own}`)
  const results = await call(await open(), meet('first', 'second'), meet('second', 'first'))
  expect(results.toSorted()).toEqual(['first', 'second'])
})

it('lets people see what runs in the background, and end it', async () => {
  const { call, open } = await startChat()
  const session = await open()
  expect(await session.command('tasks')).toBe('Nothing was started in the background.')
  await call(session, ['Bash', { command: 'until test -e never; do sleep 0.05; done', run_in_background: true }])
  expect(await session.command('tasks')).toMatch(
    /^bash_1 is running, for .* so far\.\n {2}\$ until test -e never; do sleep 0\.05; done$/,
  )
  expect(await session.command('tasks', 'stop bash_2')).toContain('There are: bash_1.')
  expect(await session.command('tasks', 'end bash_1')).toContain('can not be read')
  expect(await session.command('tasks', 'stop bash_1')).toMatch(/^bash_1 was ended by the person, after/)
  expect(await session.command('tasks', 'stop bash_1')).toContain('There is nothing to end.')
  const [output] = await call(session, ['BashOutput', { id: 'bash_1' }])
  expect(output).toContain('was ended by the person')
})
