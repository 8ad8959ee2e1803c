import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryStore, type Session, type SessionOptions } from '@nacre/core'
import { type Reply, type ReplyBlock, scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { type ShellOptions, shell } from '../../src/index.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { expectEnded, expectRunning, idsFrom } from './processes.js'

type Calls = readonly (readonly [tool: string, input: Record<string, string | number | boolean>])[]

/** Sessions in one folder and one store, and what comes of calls that the model makes in one answer. */
async function startChat(shellOptions: ShellOptions = {}) {
  const cwd = await temporaryFolder()
  const store = memoryStore()
  let next: Reply | ReplyBlock | readonly ReplyBlock[] = 'Nothing.'
  const { start, bodies } = await setUp(
    scripted(() => {
      const now = next
      next = 'Done.'
      return now
    }),
  )
  const open = (options: Partial<SessionOptions> = {}) => {
    const details = { ask: async () => 'allow' as const, ...options.details }
    return start({ plugins: [shell(shellOptions)], cwd, store, ...options, details })
  }
  const call = async (session: Session, ...calls: Calls) => {
    next = calls.map(([name, input]) => ({ type: 'tool_use' as const, name, input }))
    const events = await eventsOf(session.query('Go on.'))
    return events.flatMap((event) => (event.type === 'tool-end' ? [String(event.result.content[0]?.text)] : []))
  }
  return { cwd, store, open, call, bodies }
}

const bash = (command: string) => ['Bash', { command }] as const

describe('the working folder', () => {
  it('lasts in a session, comes back with a resume, and is taken back by a rewind', async () => {
    const { cwd, open, call } = await startChat()
    const session = await open()
    await call(session, bash('mkdir a b; cd a'))
    expect(await call(session, bash('pwd'), bash('cd ../b'), bash('pwd'))).toEqual([
      `${cwd}/a`,
      `[The working folder is now ${cwd}/b.]`,
      `${cwd}/b`,
    ])
    const last = session.view().rounds.findLast(({ entries }) => entries[0]?.kind === 'user')
    expect(last).toBeDefined()
    await session.close()
    const resumed = await open({ open: { resume: session.id } })
    expect(await call(resumed, bash('pwd'))).toEqual([`${cwd}/b`])
    const prompts = resumed.view().rounds.flatMap(({ entries }) => entries.filter(isPrompt))
    await resumed.rewind(prompts[1]?.id ?? '')
    expect(await call(resumed, bash('pwd'))).toEqual([`${cwd}/a`])
    await resumed.rewind(prompts[0]?.id ?? '')
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

function isPrompt(entry: { readonly kind: string; readonly content: readonly { readonly type: string }[] }): boolean {
  return entry.kind === 'user' && entry.content[0]?.type === 'text'
}

const STAYS = `sh -c 'trap "" TERM; echo $$ > id; while :; do sleep 0.05; done'`

describe('a command in the background', () => {
  it('ends with its session, and is told to be gone after a resume', async () => {
    const { cwd, open, call } = await startChat({ limits: { grace: 100 } })
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

  it('keeps its id through a rewind', async () => {
    const { cwd, open, call } = await startChat({ limits: { grace: 100 } })
    const session = await open()
    await call(session, ['Bash', { command: STAYS, run_in_background: true }])
    await idsFrom(join(cwd, 'id'))
    const [prompt] = session.view().rounds.flatMap(({ entries }) => entries.filter(isPrompt))
    await session.rewind(prompt?.id ?? '')
    const [again, kill] = await call(
      session,
      ['Bash', { command: 'true', run_in_background: true }],
      ['KillBash', { id: 'bash_1' }],
    )
    expect(again).toMatch(/as bash_2\./)
    expect(kill).toMatch(/^bash_1 was ended by KillBash/)
  })
})

it('an abort of a query ends the command, although the query does not wait for that', async () => {
  const { cwd, open, call } = await startChat({ limits: { grace: 100 } })
  const session = await open()
  const stop = new AbortController()
  void session.events.on('tool-start', () => {
    void idsFrom(join(cwd, 'id')).then(() => stop.abort())
  })
  const query = session.query.bind(session)
  session.query = (prompt) => query(prompt, { signal: stop.signal })
  await call(session, bash(STAYS))
  await session.close()
  expectEnded(await idsFrom(join(cwd, 'id')))
})

it('asks with the command as the reason, except where it only reads', async () => {
  const asked: string[] = []
  const { open, call } = await startChat({ isReadOnlyCommand: (command) => command === 'pwd' })
  const ask = async (_call: unknown, reason: string) => {
    asked.push(reason)
    return 'deny' as const
  }
  const session = await open({ details: { ask } })
  await call(session, bash('pwd'), bash('touch x'))
  expect(asked).toEqual(['Run in the shell: touch x'])
})

it('runs commands that only read side by side, with results in the order of the calls', async () => {
  const { open, call } = await startChat({ isReadOnlyCommand: () => true })
  const session = await open()
  // Each waits for the other: one after the other they would never end.
  const meet = (own: string, other: string) =>
    bash(`touch ${own}; until test -e ${other}; do sleep 0.02; done; echo ${own}`)
  await call(session, meet('first', 'second'), meet('second', 'first'))
  const results = session.view().rounds.flatMap(({ entries }) => entries.flatMap(({ content }) => content))
  expect(JSON.stringify(results.filter(({ type }) => type === 'tool_result'))).toMatch(/first.*second/)
})

it('tells how a command goes on, once a second', async () => {
  let now = 0
  const steps: (() => void)[] = []
  const wait = (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      if (milliseconds !== 1_000) return
      steps.push(() => {
        now += milliseconds
        resolve()
      })
    })
  const { cwd, open, call } = await startChat({ time: { now: () => now, wait } })
  const session = await open()
  const told: string[] = []
  session.events.on('tool-progress', ({ text }) => told.push(text))
  session.events.on('tool-start', () => {
    void idsFrom(join(cwd, 'id')).then(async () => {
      await expect.poll(() => steps.length).toBe(1)
      steps.shift()?.()
      await expect.poll(() => steps.length).toBe(1)
      steps.shift()?.()
      await expect.poll(() => told.length).toBe(2)
      await call(session, bash('true')).catch(() => undefined)
    })
  })
  void readFile
  await call(session, bash('echo begun; echo 2 > id; sleep 0.2; echo end'))
  expect(told.map((text) => text.split(' ').slice(0, 2).join(' '))).toEqual(['1 s', '2 s'])
})
