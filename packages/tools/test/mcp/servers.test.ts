import { getEventListeners } from 'node:events'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type SetUpMcp, setUpMcp } from './set-up-mcp.js'
import { type HttpTestServer, httpServer, isAlive, only, stdioServer, type TestServer } from './test-server.js'

const kinds = {
  stdio: stdioServer,
  'streamable HTTP': (_settings: object, over: Parameters<typeof httpServer>[1]) => httpServer({ token: 'abc' }, over),
}

describe.each(Object.entries(kinds))('a server over %s', (kind, make) => {
  let server: TestServer
  let one: SetUpMcp
  beforeAll(async () => {
    const over: (() => Promise<void>)[] = []
    const whenOver = (work: () => Promise<void>) => void over.unshift(work)
    server = await make({}, whenOver)
    one = await setUpMcp(only({ one: server }), { whenOver })
    return async () => {
      for (const work of over) await work()
    }
  })

  it('brings its tools with their descriptions and schemas', () => {
    expect(one.tool('mcp__one__echo')).toMatchObject({
      description: 'The tool echo.',
      schema: { json: { type: 'object', properties: { text: { type: 'string' } } } },
      isCompactable: false,
    })
    expect(one.contribution.tools?.map(({ name }) => name)).toContain('mcp__one__steps')
  })

  it('is called, and its refusals and errors are results', async () => {
    const echo = { content: [{ type: 'text', text: 'echo: hello' }] }
    expect(await one.call('mcp__one__echo', { text: 'hello' })).toEqual(echo)
    const refused = { content: [{ type: 'text', text: 'not today' }], isError: true }
    expect(await one.call('mcp__one__refuse')).toEqual(refused)
    const broken = await one.call('mcp__one__throw')
    expect(broken).toMatchObject({ isError: true })
    expect(JSON.stringify(broken)).toMatch(/'one' refused the call of 'throw'.*it broke/)
  })

  it('leaves nothing behind on a signal that serves many calls', async () => {
    const { signal } = new AbortController()
    for (const text of ['one', 'two']) await one.call('mcp__one__echo', { text }, { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('tells its progress', async () => {
    const steps: string[] = []
    await one.call('mcp__one__steps', {}, { progress: (text) => steps.push(text) })
    expect(steps).toEqual(['1/2 step 1', '2/2 step 2'])
  })

  it('hears that a call was aborted', async () => {
    const controller = new AbortController()
    const called = one.call('mcp__one__slow', {}, { signal: controller.signal })
    await expect.poll(server.journal, { timeout: 10_000 }).toContain('slow began')
    controller.abort(new Error('stop'))
    await expect(called).rejects.toThrow('stop')
    await expect.poll(server.journal, { timeout: 10_000 }).toContain('slow was cancelled')
  })

  it('that crashes in the middle of a call is reported, connected again and called again', async () => {
    const result = await one.call('mcp__one__crash')
    expect(result.isError).toBe(true)
    const how = kind === 'stdio' ? /the process ended with code 7/ : /closed|cut/
    expect(JSON.stringify(result)).toMatch(how)
    expect(JSON.stringify(result)).toContain(`MCP server 'one' was lost while 'crash' ran: `)
    expect(JSON.stringify(result)).toContain('The call may or may not have run')
    expect(await one.textOf('mcp__one__echo', { text: 'again' })).toBe('echo: again')
    expect((await server.journal()).filter((line) => line === 'crash')).toHaveLength(1)
  })

  it('that ended while nobody called is there for the next call', async () => {
    const pid = Number(await one.textOf('mcp__one__pid'))
    if ('restart' in server) await (server as HttpTestServer).restart()
    else process.kill(pid, 'SIGKILL')
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
    const next = Number(await one.textOf('mcp__one__pid'))
    expect(next).toBeGreaterThan(0)
    expect(next).not.toBe(pid)
  })
})

describe('a server over stdio', () => {
  it('has only so much time for a call', async () => {
    const server = await stdioServer()
    const { textOf } = await setUpMcp(only({ one: server }, { callTimeout: 300 }))
    expect(await textOf('mcp__one__slow')).toMatch(
      /^'slow' of MCP server 'one' gave no sign for 0.3 s and was cancelled. It may or may not have run/,
    )
    await expect.poll(server.journal, { timeout: 10_000 }).toContain('slow was cancelled')
  })

  it('is given up after some attempts, and tried once more by each later call', async () => {
    const server = await stdioServer()
    const waits: number[] = []
    const wait = (milliseconds: number) => void waits.push(milliseconds)
    const { textOf } = await setUpMcp(only({ one: server }, { wait }))
    await server.become({ fails: true })
    await textOf('mcp__one__crash')
    expect(await textOf('mcp__one__echo')).toMatch(
      /'one' can not be reached: the process ended with code 3: no licence found. The call did not run/,
    )
    expect(waits).toEqual([500, 1_000, 2_000, 4_000])
    expect((await server.journal()).filter((line) => line.startsWith('started'))).toHaveLength(6)
    await server.become({})
    expect(await textOf('mcp__one__echo', { text: 'back' })).toBe('echo: back')
  })

  it('sees only the harmless part of the environment, and what it is given', async () => {
    vi.stubEnv('NACRE_TEST_SECRET', 'secret')
    const { textOf } = await setUpMcp(only({ one: await stdioServer() }))
    const seen = JSON.parse(await textOf('mcp__one__environment'))
    vi.unstubAllEnvs()
    expect(seen).toMatchObject({ PATH: process.env.PATH, SETTINGS: expect.any(String) })
    expect(seen).not.toHaveProperty('NACRE_TEST_SECRET')
  })

  it.skipIf(process.platform === 'win32')('is gone with all that it started when it is disposed', async () => {
    const server = await stdioServer({ tools: ['pid', 'child'], isStubborn: true })
    const { contribution, textOf } = await setUpMcp(only({ one: server }))
    const pids = [Number(await textOf('mcp__one__pid')), Number(await textOf('mcp__one__child'))]
    expect(pids.map(isAlive)).toEqual([true, true])
    await contribution.dispose?.()
    await expect.poll(() => pids.map(isAlive), { timeout: 10_000 }).toEqual([false, false])
  })
})

describe('a server over HTTP', () => {
  it('that is away answers with an error that says that the call did not run', async () => {
    const server = await httpServer({ answersJson: true })
    const { textOf } = await setUpMcp(only({ one: server }))
    await server.kill()
    expect(await textOf('mcp__one__echo')).toMatch(/'one' can not be reached: .*ECONNREFUSED.*The call did not run/)
    await server.restart()
    expect(await textOf('mcp__one__echo', { text: 'back' })).toBe('echo: back')
  })

  it('of the time before streamable HTTP is spoken to as it was then', async () => {
    const { call, textOf } = await setUpMcp(only({ one: await httpServer({ isOld: true }) }))
    expect(await textOf('mcp__one__echo', { text: 'old' })).toBe('echo: old')
    expect(JSON.stringify(await call('mcp__one__crash'))).toContain('may or may not have run')
    expect(await textOf('mcp__one__echo', { text: 'again' })).toBe('echo: again')
  })
})
