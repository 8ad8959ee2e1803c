import { describe, expect, it } from 'vitest'
import { setUpMcp } from './set-up-mcp.js'
import { httpServer, isAlive, only, stdioServer } from './test-server.js'

const kinds = { stdio: stdioServer, 'streamable HTTP': httpServer }

describe.each(Object.entries(kinds))('a server over %s', (_kind, make) => {
  it('brings its tools with their descriptions and schemas', async () => {
    const { contribution, tool } = await setUpMcp(only({ one: await make() }))
    expect(tool('mcp__one__echo')).toMatchObject({
      description: 'The tool echo.',
      schema: { json: { type: 'object', properties: { text: { type: 'string' } } } },
      isCompactable: false,
    })
    expect(contribution.tools?.map(({ name }) => name)).toContain('mcp__one__steps')
  })

  it('is called, and its refusals and errors are results', async () => {
    const { call } = await setUpMcp(only({ one: await make() }))
    expect(await call('mcp__one__echo', { text: 'hello' })).toEqual({
      content: [{ type: 'text', text: 'echo: hello' }],
    })
    expect(await call('mcp__one__refuse')).toEqual({ content: [{ type: 'text', text: 'not today' }], isError: true })
    const broken = await call('mcp__one__throw')
    expect(broken).toMatchObject({ isError: true })
    expect(JSON.stringify(broken)).toMatch(/'one' refused the call of 'throw'.*it broke/)
  })

  it('tells its progress', async () => {
    const { call } = await setUpMcp(only({ one: await make() }))
    const steps: string[] = []
    await call('mcp__one__steps', {}, { progress: (text) => steps.push(text) })
    expect(steps).toEqual(['1/2 step 1', '2/2 step 2'])
  })

  it('hears that a call was aborted', async () => {
    const server = await make()
    const { call } = await setUpMcp(only({ one: server }))
    const controller = new AbortController()
    const called = call('mcp__one__slow', {}, { signal: controller.signal })
    await expect.poll(server.journal).toContain('slow began')
    controller.abort(new Error('stop'))
    await expect(called).rejects.toThrow('stop')
    await expect.poll(server.journal).toContain('slow was cancelled')
  })

  it('has only so much time for a call', async () => {
    const server = await make()
    const { call } = await setUpMcp(only({ one: server }, { callTimeout: 100 }))
    const result = await call('mcp__one__slow')
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result)).toMatch(/'slow' of MCP server 'one' gave no sign for 0.1 s.*may or may not have run/)
    await expect.poll(server.journal).toContain('slow was cancelled')
  })

  it('that crashes in the middle of a call is reported, connected again and called again', async () => {
    const server = await make()
    const { call, textOf } = await setUpMcp(only({ one: server }))
    const result = await call('mcp__one__crash')
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result)).toMatch(/MCP server 'one' was lost while 'crash' ran.*may or may not have run/)
    expect(await textOf('mcp__one__echo', { text: 'again' })).toBe('echo: again')
    expect((await server.journal()).filter((line) => line === 'crash')).toHaveLength(1)
  })
})

describe('a server over stdio', () => {
  it('says with what code and words it ended', async () => {
    const { textOf } = await setUpMcp(only({ one: await stdioServer() }))
    expect(await textOf('mcp__one__crash')).toContain('the process ended with code 7')
  })

  it('that was killed while nobody called is there for the next call', async () => {
    const { textOf } = await setUpMcp(only({ one: await stdioServer() }))
    const pid = Number(await textOf('mcp__one__pid'))
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(Number(await textOf('mcp__one__pid'))).not.toBe(pid)
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
    process.env.NACRE_TEST_SECRET = 'secret'
    const server = await stdioServer({ tools: ['environment'] })
    const { textOf } = await setUpMcp(only({ one: server }))
    const seen = JSON.parse(await textOf('mcp__one__environment'))
    delete process.env.NACRE_TEST_SECRET
    expect(seen).toMatchObject({ PATH: process.env.PATH, SETTINGS: expect.any(String) })
    expect(seen).not.toHaveProperty('NACRE_TEST_SECRET')
  })

  it.skipIf(process.platform === 'win32')('is gone with all that it started when it is disposed', async () => {
    const server = await stdioServer({ tools: ['pid', 'child'], isStubborn: true })
    const { contribution, textOf } = await setUpMcp(only({ one: server }))
    const pids = [Number(await textOf('mcp__one__pid')), Number(await textOf('mcp__one__child'))]
    expect(pids.map(isAlive)).toEqual([true, true])
    await contribution.dispose?.()
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false])
    await contribution.dispose?.()
  })
})

describe('a server over HTTP', () => {
  it('that was started anew does not know the session, so the call is made again in a new one', async () => {
    const server = await httpServer()
    const { textOf } = await setUpMcp(only({ one: server }))
    const before = await textOf('mcp__one__pid')
    await server.restart()
    const after = await textOf('mcp__one__pid')
    expect(Number(after)).toBeGreaterThan(0)
    expect(after).not.toBe(before)
  })

  it('that is away answers with an error that says that the call did not run', async () => {
    const server = await httpServer({ answersJson: true })
    const { textOf } = await setUpMcp(only({ one: server }))
    await server.kill()
    expect(await textOf('mcp__one__echo')).toMatch(/'one' can not be reached: .*ECONNREFUSED.*The call did not run/)
    await server.restart()
    expect(await textOf('mcp__one__echo', { text: 'back' })).toBe('echo: back')
  })

  it('is given its headers', async () => {
    const { textOf } = await setUpMcp(only({ one: await httpServer({ token: 'abc' }) }))
    expect(await textOf('mcp__one__echo', { text: 'let in' })).toBe('echo: let in')
  })
})
