import type { SimulatedModel } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { openSession } from '../../src/session/open-session.js'
import { EXIT } from '../../src/terminal/terminal.js'
import { stage as headlessStage } from '../headless/support.js'
import { loadSessions } from '../session/load-sessions.js'
import { runOptions, stage } from '../session/stage.js'
import { ended, program } from '../support/program.js'
import { nacre } from './run-command.js'

loadSessions()

const look = [{ type: 'tool_use' as const, name: 'memory', input: { command: 'view', path: '/memories' } }]
const dreamt: SimulatedModel = ({ messages, source }) => {
  if (source !== 'dream') return 'Fine.'
  return JSON.stringify(messages.at(-1)).includes('tool_result') ? 'Nothing to do.' : look
}

describe('nacre dream', () => {
  it('says that there is nothing to dream of, and leaves no session behind', async () => {
    const on = await stage()
    expect(await nacre(on, 'dream', '--offline')).toMatchObject({
      code: EXIT.done,
      out: 'There are no memories to dream of yet.\n',
    })
    expect((await nacre(on, 'sessions')).out).toContain('There are no sessions')
  })

  it('tells its phases, prints what came of it, and what it cost is in the bill of memory', async () => {
    const { place, exchanges } = await headlessStage(dreamt)
    await program.run(['memory', 'add', 'I prefer tabs over spaces', '--project'], place)
    const { code, stdout, stderr } = await program.run(['dream'], place)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The dream is over; it left the memories as they are.\n' })
    expect(stderr).toContain('nacre: dreaming: orient\n')
    expect(exchanges.map(({ entry }) => entry.source)).toEqual(['dream', 'dream'])
    expect((await program.run(['memory', 'cost'], place)).stdout).toMatch(/dreams \$0\.\d*[1-9]\d* {2}in 1 runs/)
    const json = await program.run(['dream', '--dry-run', '--person', '--json'], place)
    expect(JSON.parse(json.stdout)).toMatchObject({ status: 'nothing', scope: 'person', isDryRun: true, dollars: 0 })
    expect(JSON.parse((await program.run(['sessions', '--json'], place)).stdout)).toEqual([])
    const status = JSON.parse((await program.run(['dream', 'status', '--json'], place)).stdout)
    expect(status).toMatchObject({
      isPaused: false,
      waiting: 0,
      folders: [
        {
          scope: 'project',
          last: { status: 'completed' },
          text: expect.stringContaining('No dream yet: the last one was'),
        },
        { scope: 'person', last: null, text: expect.stringContaining('No dream yet: ') },
      ],
    })
  })

  it('ends with a code where it failed, where memory is off, and where there is no model', async () => {
    const { place, simulator } = await headlessStage(dreamt)
    await program.run(['memory', 'add', 'I prefer tabs over spaces', '--project'], place)
    simulator.faults.add({ kind: 'spend-cap', times: 50 })
    const failed = await program.run(['dream'], place)
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('The dream failed') })
    const off = { ...place, env: { ...place.env, NACRE_FLAGS: 'dream=off' } }
    expect(await program.run(['dream'], off)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('switched off'),
    })
    expect((await program.run(['dream', 'status'], off)).stdout).toContain('switched off (flag dream)')
    const { ANTHROPIC_API_KEY: _key, ANTHROPIC_BASE_URL: _url, ...env } = place.env
    expect((await program.run(['dream'], { ...place, env })).code).toBe(5)
    expect((await program.run(['dream', '--offline'], { ...place, env })).code).toBe(0)
    expect((await program.run(['--offline', 'dream'], { ...place, env })).code).toBe(0)
  })

  it.skipIf(process.platform === 'win32')('is stopped by a signal, and nothing of it is kept', async () => {
    let tell = () => {}
    const asked = new Promise<void>((resolve) => {
      tell = resolve
    })
    const { place } = await headlessStage(async ({ signal }) => {
      tell()
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      return 'Never.'
    })
    await program.run(['memory', 'add', 'I prefer tabs over spaces', '--project'], place)
    const before = (await program.run(['memory', 'log', '--json'], place)).stdout
    const child = program.start(['dream'], place)
    const over = ended(child)
    await asked
    child.kill('SIGINT')
    expect(await over).toMatchObject({ code: 130, stderr: expect.stringContaining('nothing of it was kept') })
    expect((await program.run(['memory', 'log', '--json'], place)).stdout).toBe(before)
    const status = JSON.parse((await program.run(['dream', 'status', '--json'], place)).stdout)
    expect(status.folders[0]).toMatchObject({
      last: { status: 'killed' },
      text: expect.not.stringContaining('the last one was'),
    })
  })
})

it('lists the flags of memory, and the settings of it reach the plugin', async () => {
  const on = await stage()
  const { out } = await nacre(on, 'flags')
  for (const flag of ['dream', 'dream.extract', 'dream.recall', 'dream.consolidate']) {
    expect(out).toMatch(new RegExp(`^${flag.replace('.', '\\.')} +on +default$`, 'm'))
  }
  await on.write('~/.nacre/settings.json', { dream: { dailyDollars: 0, due: { sessions: 9 } } })
  expect((await nacre(on, 'dream', 'status')).out).toContain('0 of 9 sessions')
  await on.write('~/.nacre/settings.json', { dream: { due: { sessions: 1.5, houres: 1 } } })
  expect(await nacre(on, 'dream', 'status')).toMatchObject({
    code: EXIT.usage,
    err: expect.stringMatching(/dream\.due\.sessions is 1\.5[\s\S]*Did you mean 'hours'/),
  })
})

it('counts what extraction and dreams cost by their sources', async () => {
  const on = await stage()
  const { session, close } = await openSession(on.terminal, runOptions())
  for await (const _ of session.query('I always review pull requests in the morning, before stand-up.'));
  await session.command('memory', 'add "The release is frozen until 2026-12-01" --type project')
  await session.command('dream', '')
  await close()
  const { spent } = await session.inspect()
  expect(spent.map(({ source }) => source)).toEqual(expect.arrayContaining(['main', 'extract_memories', 'dream']))
  expect(session.cost('dream').dollars).toBeGreaterThan(0)
})
