import { type SimulatedModel, startSimulator } from '@nacre/simulator'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSession } from '../../src/session/open-session.js'
import { exitCodeOf } from '../../src/terminal/error-exit-code.js'
import { EXIT } from '../../src/terminal/terminal.js'
import { loadSessions } from './load-sessions.js'
import { runOptions, type Stage, stage } from './stage.js'

loadSessions()

/** Reads so many files, one after the other, and says that it is done. */
function reading(files: number): SimulatedModel {
  let read = 0
  return ({ source }) => {
    if (source !== 'main' || read === files) return 'Done.'
    const number = read++
    return [{ type: 'tool_use', id: `toolu_${number}`, name: 'Read', input: { file_path: `part-${number}.txt` } }]
  }
}

/** The program against a server that takes deletions by reference, and what came over the socket from the conversation. */
async function program(
  settings: object,
  { files = 0, env = {} }: { files?: number; env?: Record<string, string> } = {},
) {
  const simulator = await startSimulator({ model: reading(files), details: { extensions: ['cache-edits'] } })
  onTestFinished(() => simulator.close())
  const bodies: string[] = []
  simulator.observe(({ body, entry }) => {
    expect(entry.status).toBe(200)
    if (entry.source === 'main') bodies.push(body)
  })
  const on = await stage({ ANTHROPIC_BASE_URL: simulator.url, ANTHROPIC_API_KEY: 'test', ...env })
  // Other layers ask at times of their own.
  const flags = { 'session-memory': false, dream: false }
  await on.write('~/.nacre/settings.json', {
    ...settings,
    flags: { ...flags, ...('flags' in settings && Object(settings.flags)) },
  })
  for (let number = 0; number < files; number++) await on.write(`part-${number}.txt`, `line ${number}\n`.repeat(300))
  return { on, simulator, bodies }
}

async function opened(on: Stage) {
  const session = await openSession(on.terminal, runOptions({ isOffline: false }))
  onTestFinished(() => session.close())
  return session
}

async function ask(session: Awaited<ReturnType<typeof opened>>, prompt: string): Promise<void> {
  for await (const event of session.session.query(prompt))
    if (event.type === 'end') expect(event).toMatchObject({ reason: 'done' })
}

describe('deletions from the cache', () => {
  it('are made where the setting says that the server takes them', async () => {
    const { on, bodies } = await program({ cache: { edits: true }, flags: { 'compact.cached': true } }, { files: 18 })
    const session = await opened(on)
    await ask(session, 'Read all of it.')
    expect(bodies[0]).not.toContain('cache_edits')
    expect(bodies.at(-1)).toContain('"cache_edits"')
    expect(bodies.at(-1)).toContain('"cache_reference":"toolu_0"')
  })

  it('are refused with a sentence where the flag is on and the model has no way to delete', async () => {
    const said =
      'The flag compact.cached is on, but this model can not delete from the cache: set cache.edits to true, for a server that is known to take it, or switch the flag off.'
    for (const { on } of [
      await program({ flags: { 'compact.cached': true } }),
      await program({}, { env: { NACRE_FLAGS: 'compact.cached=on' } }),
    ]) {
      const error = await opened(on).catch((thrown: unknown) => thrown)
      expect((error as Error).message).toBe(said)
      expect(exitCodeOf(error)).toBe(EXIT.usage)
    }
    const { on } = await program({})
    const session = await opened(on)
    expect(() => session.controls.setFlag('compact.cached', true)).toThrow(said)
    expect(session.session.flags.isOn('compact.cached')).toBe(false)
    const able = await opened((await program({ cache: { edits: true } })).on)
    able.controls.setFlag('compact.cached', true)
    expect(able.session.flags.isOn('compact.cached')).toBe(true)
  })

  it('can be tried offline', async () => {
    const on = await stage()
    await on.write('~/.nacre/settings.json', { cache: { edits: true }, flags: { 'compact.cached': true } })
    const session = await openSession(on.terminal, runOptions())
    onTestFinished(() => session.close())
    await ask(session, 'List the files')
  })
})

describe('how long the cache is kept', () => {
  it('is an hour where the setting says so, at twice the input price', async () => {
    const { on, bodies, simulator } = await program({ model: 'claude-sonnet-4-6', cache: { ttl: '1h' } }, { files: 3 })
    const session = await opened(on)
    await ask(session, 'Read all of it.')
    const ttls = bodies.flatMap((body) =>
      [...body.matchAll(/"cache_control":(\{[^}]*\})/g)].map(([, marker]) => marker),
    )
    expect(new Set(ttls)).toEqual(new Set(['{"type":"ephemeral","ttl":"1h"}']))
    const { write5m, write1h, read, input, output, dollars } = simulator.ledger.totals('main')
    expect(write5m).toBe(0)
    expect(write1h).toBeGreaterThan(1_000)
    expect((write1h * 6 + read * 0.3 + input * 3 + output * 15) / 1_000_000).toBeCloseTo(dollars, 8)
    expect(session.session.cost('main').dollars).toBeCloseTo(dollars, 8)
    expect((await session.session.inspect()).cache.ttl).toBe('1h')
  })

  it('is five minutes unless told', async () => {
    const { on, simulator } = await program({}, { files: 1 })
    await ask(await opened(on), 'Read it.')
    expect(simulator.ledger.totals('main')).toMatchObject({ write1h: 0, write5m: expect.any(Number) as number })
  })

  it('stands in what doctor finds, with its price', async () => {
    const cacheOf = async (settings: object) => {
      const session = await opened((await program(settings)).on)
      const found = await session.controls.diagnose(AbortSignal.timeout(10_000))
      return found.find(({ name }) => name === 'cache')
    }
    expect(await cacheOf({})).toEqual({
      name: 'cache',
      status: 'ok',
      detail: 'kept for 5 minutes, written at 1.25 times the price of input',
    })
    expect(await cacheOf({ cache: { ttl: '1h', edits: true } })).toEqual({
      name: 'cache',
      status: 'ok',
      detail: 'kept for an hour, written at 2 times the price of input; the server is told to delete by reference',
    })
  })

  it('is not for a folder to say that nobody trusts: it decides what is paid', async () => {
    const { on } = await program({})
    await on.write('.nacre/settings.json', { cache: { ttl: '1h', edits: true } })
    const session = await opened(on)
    expect((await session.session.inspect()).cache.ttl).toBe('5m')
    expect(session.notices.join()).toContain('1 permission')
  })
})
