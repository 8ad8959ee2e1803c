import { memoryStore, type SessionOptions, type Tool } from '@nacre/core'
import type { ReplyBlock, SimulatedModel } from '@nacre/simulator'
import { beforeAll, describe, expect, it } from 'vitest'
import { createPermissions, permissions } from '../../src/index.js'
import { readySandbox } from '../support/ready-sandbox.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { bashTool } from './bash-tool.js'
import { TRICKS } from './corpus.js'
import { corpusFolder } from './corpus-folder.js'
import { ALLOWED, READ_ONLY } from './read-only-corpus.js'

let folder: string
beforeAll(async () => {
  folder = await corpusFolder()
})

/** Makes all calls at once, and then is content. */
function calling(commands: readonly string[]): SimulatedModel {
  const calls: ReplyBlock[] = commands.map((command) => ({ type: 'tool_use', name: 'Bash', input: { command } }))
  return ({ messages }) => (messages.some(({ role }) => role === 'assistant') ? 'Done.' : calls)
}

async function run(commands: readonly string[], options: Partial<SessionOptions>): Promise<readonly string[]> {
  const { tool, ran } = bashTool()
  const { start } = await setUp(calling(commands))
  const session = await start({ tools: [tool], cwd: folder, ...options })
  const events = await eventsOf(session.query('Do it.'))
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'done' })
  return ran
}

const sandbox = readySandbox()

describe('a session in which nobody can be asked', () => {
  it.each(TRICKS)('runs no command of the kind: $kind', async ({ rules, commands }) => {
    expect(await run(commands, { plugins: [permissions({ rules })] })).toEqual([])
  })

  it('runs all that plainly only reads', async () => {
    expect(await run(READ_ONLY, { plugins: [permissions({ sandbox })] })).toEqual(READ_ONLY)
  })

  it('runs what rules plainly allow', async () => {
    const commands = ALLOWED.filter(({ rule }) => rule !== 'Bash' && rule !== 'Bash(*)').map(({ command }) => command)
    const allow = ALLOWED.map(({ rule }) => rule).filter((rule) => rule !== 'Bash' && rule !== 'Bash(*)')
    expect(await run(commands, { plugins: [permissions({ rules: { allow }, sandbox })] })).toEqual(commands)
  })

  it('runs everything but what is denied when questions are off', async () => {
    const rules = { deny: ['Bash(rm:*)'] }
    const ran = await run(['make', 'rm x', 'sudo rm x', 'curl a.test | sh -c cat', '$x y'], {
      plugins: [permissions({ mode: 'bypass', rules })],
    })
    expect(ran).toEqual(['make', 'curl a.test | sh -c cat'])
  })
})

it('asks a person, who may say yes, with a reason that names the rule and its place', async () => {
  const reasons: string[] = []
  const ask: NonNullable<SessionOptions['details']>['ask'] = async (_call, reason) => {
    reasons.push(reason)
    return 'allow'
  }
  const plugins = [permissions({ rules: { ask: ['Bash(git push:*)'] } })]
  expect(await run(['git push origin'], { plugins, details: { ask } })).toEqual(['git push origin'])
  expect(reasons).toEqual(['The ask rule Bash(git push:*) (given by the program) speaks of `git push origin`.'])
})

it('tells the model why a call is denied', async () => {
  const { start, bodies } = await setUp(calling(['rm x']))
  const session = await start({
    tools: [bashTool().tool],
    cwd: folder,
    plugins: [permissions({ rules: { deny: ['Bash(rm:*)'] } })],
  })
  await eventsOf(session.query('Do it.'))
  expect(bodies.at(-1)).toContain('The deny rule Bash(rm:*) (given by the program) speaks of `rm x`.')
})

const touching: Tool = { ...bashTool().tool, name: 'Touch' }
const looking: Tool = { ...bashTool().tool, name: 'Look', isReadOnly: () => true }

it('asks for tools it does not know unless they only read', async () => {
  const live = createPermissions()
  const call = (name: string) => ({ id: name, name, input: { command: 'x' } })
  expect(live.judge(call('Touch'), touching, folder).verdict).toBe('ask')
  expect(live.judge(call('Look'), looking, folder).verdict).toBe('pass')
  await live.setMode('plan')
  expect(live.judge(call('Touch'), touching, folder).verdict).toBe('deny')
  expect(live.judge(call('Look'), looking, folder).verdict).toBe('pass')
  await live.setMode('bypass')
  expect(live.judge(call('Touch'), touching, folder).verdict).toBe('allow')
})

describe('the mode', () => {
  async function opened() {
    const commands = [['touch a'], ['touch b'], ['touch c']]
    let turn = 0
    const { start } = await setUp(({ messages }) => {
      const last = JSON.stringify(messages.at(-1))
      if (last.includes('tool_result')) return 'Done.'
      const [command = 'ls'] = commands[turn++] ?? []
      return [{ type: 'tool_use', name: 'Bash', input: { command } }]
    })
    const store = memoryStore()
    const bash = bashTool()
    const open = (options: Partial<SessionOptions> = {}) =>
      start({ tools: [bash.tool], cwd: folder, store, plugins: [permissions()], ...options })
    return { open, ran: bash.ran }
  }

  it('is shown and set by a command, and refused when there is none of that name', async () => {
    const { open } = await opened()
    const session = await open()
    expect(await session.command('mode')).toContain('The mode is default.')
    expect(await session.command('mode', 'acceptEdits')).toBe('The mode is accept-edits.')
    expect(await session.command('mode', 'plan')).toBe('The mode is plan.')
    expect(await session.command('mode', 'yolo')).toContain("There is no mode 'yolo'.")
    expect(await session.command('mode')).toContain('The mode is plan.')
  })

  it('comes back with a resume', async () => {
    const { open, ran } = await opened()
    const first = await open({ open: { id: 'one' } })
    await first.command('mode', 'accept-edits')
    await eventsOf(first.query('Touch a.'))
    await first.close()
    const second = await open({ open: { resume: 'one' } })
    expect(await second.command('mode')).toContain('The mode is accept-edits.')
    await eventsOf(second.query('Touch b.'))
    expect(ran).toEqual(['touch a', 'touch b'])
  })

  it('is what it was at the message to which a person goes back', async () => {
    const { open, ran } = await opened()
    const session = await open()
    await eventsOf(session.query('Touch a.'))
    const prompts = () =>
      session
        .view()
        .rounds.flatMap(({ entries }) => entries)
        .filter(({ kind, content }) => kind === 'user' && content.every(({ type }) => type === 'text'))
    await session.command('mode', 'accept-edits')
    await eventsOf(session.query('Touch b.'))
    expect(ran).toEqual(['touch b'])
    await session.rewind(prompts()[0]?.id ?? '')
    expect(await session.command('mode')).toContain('The mode is default.')
    await eventsOf(session.query('Touch c.'))
    expect(ran).toEqual(['touch b'])
  })
})

describe('rules that a person adds', () => {
  it('are listed with where they came from, count at once, and come back with a resume', async () => {
    const { tool, ran } = bashTool()
    const { start } = await setUp(({ messages }) =>
      JSON.stringify(messages.at(-1)).includes('tool_result')
        ? 'Done.'
        : [{ type: 'tool_use', name: 'Bash', input: { command: 'make build' } }],
    )
    const store = memoryStore()
    const options = { tools: [tool], cwd: folder, store, plugins: [permissions({ rules: { deny: ['Bash(rm:*)'] } })] }
    const first = await start({ ...options, open: { id: 'one' } })
    await eventsOf(first.query('Build.'))
    expect(ran).toEqual([])
    expect(await first.command('permissions', 'allow Bash(make build)')).toContain('Added: allow Bash(make build)')
    expect(await first.command('permissions')).toBe(
      'The mode is default. There is no sandbox for commands. Only a short list of plain ones runs without a question.\n- deny Bash(rm:*) (given by the program)\n- allow Bash(make build) (added in this session)',
    )
    await eventsOf(first.query('Build.'))
    expect(ran).toEqual(['make build'])
    await first.close()
    const second = await start({ ...options, open: { resume: 'one' } })
    await eventsOf(second.query('Build.'))
    expect(ran).toEqual(['make build', 'make build'])
    expect(await second.command('permissions')).toContain('allow Bash(make build) (added in this session)')
  })

  it('stay when a person goes back, and come back after that too', async () => {
    const { start } = await setUp(() => 'Done.')
    const store = memoryStore()
    const first = await start({ store, cwd: folder, plugins: [permissions()], open: { id: 'one' } })
    await eventsOf(first.query('One.'))
    await first.command('permissions', 'deny Bash(rm:*)')
    await eventsOf(first.query('Two.'))
    await first.rewind(first.view().rounds[0]?.entries[0]?.id ?? '')
    expect(await first.command('permissions')).toContain('deny Bash(rm:*)')
    await first.close()
    const second = await start({ store, cwd: folder, plugins: [permissions()], open: { resume: 'one' } })
    expect(await second.command('permissions')).toContain('deny Bash(rm:*)')
  })

  it('are refused with what is wrong', async () => {
    const { start } = await setUp(() => 'Done.')
    const session = await start({ cwd: folder, plugins: [permissions()] })
    expect(await session.command('permissions', 'allow Bash()')).toContain("The allow rule 'Bash()'")
    expect(await session.command('permissions', 'perhaps Bash')).toContain('Say allow, ask or deny')
  })
})
