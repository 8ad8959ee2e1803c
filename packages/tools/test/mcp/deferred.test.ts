import { createSession, definePlugin, memoryStore } from '@nacre/core'
import { scriptedModel } from '@nacre/core/testing'
import { describe, expect, it } from 'vitest'
import { mcp } from '../../src/index.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { bodyOf, goesOn, obeying } from './obeying.js'
import { only, stdioServer } from './test-server.js'

const MANY = Array.from({ length: 200 }, (_, index) => `job_${index}`)
const descriptions = { job_42: 'Waters the garden on the moon.' }
const asking = { ask: async () => 'allow' as const }
const namesOf = (body: string | undefined) => bodyOf(body).tools.map(({ name }) => name)

describe('two hundred tools', () => {
  it('are deferred, found by a search, and called', async () => {
    const server = await stdioServer({ tools: [...MANY, 'grow'], descriptions })
    const { start, bodies, simulator } = await setUp(obeying())
    const options = only({ one: server }, { deferAbove: 0.002 })
    const store = memoryStore()
    const session = await start({ store, plugins: [mcp(options)], details: asking })
    await eventsOf(session.query('call mcp__one__job_42'))
    expect(bodies).toHaveLength(1)
    const { tools } = bodyOf(bodies[0])
    expect(tools.filter(({ defer_loading }) => defer_loading)).toHaveLength(201)
    expect(tools.filter(({ defer_loading }) => !defer_loading).map(({ name }) => name)).toEqual([
      'ToolSearch',
      'ListMcpResources',
      'ReadMcpResource',
    ])
    expect(JSON.stringify(bodyOf(bodies[0]).system)).toContain('These tools of MCP servers are found by ToolSearch')

    await eventsOf(session.query('call ToolSearch {"query":"garden moon"}'))
    const result = bodyOf(bodies.at(-1))
      .messages.flatMap(({ content }) => content)
      .find(({ type }) => type === 'tool_result')
    expect(result?.content).toEqual([{ type: 'tool_reference', tool_name: 'mcp__one__job_42' }])
    expect(JSON.stringify(await eventsOf(session.query('call mcp__one__job_42')))).toContain('ran job_42')
    expect(JSON.stringify(await eventsOf(session.query('call ToolSearch {"query":"sail the ocean"}')))).toContain(
      "None of 201 tools fits 'sail the ocean'",
    )
    await eventsOf(session.query('call ToolSearch {"query":"select:mcp__one__grow"}'))

    // One that comes in the middle is told of, and comes in when it is found.
    await eventsOf(session.query('call mcp__one__grow {"add":["later"]}'))
    await expect.poll(() => session.command('mcp'), { timeout: 10_000 }).toContain('mcp__one__later')
    await eventsOf(session.query('And?'))
    expect(JSON.stringify(bodyOf(bodies.at(-1)).messages)).toContain('found by ToolSearch: mcp__one__later.')
    expect(bodies.at(-1)).not.toContain('tool_addition')
    await eventsOf(session.query('call ToolSearch {"query":"select:mcp__one__later"}'))
    expect(JSON.stringify(await eventsOf(session.query('call mcp__one__later')))).toContain('ran later')
    for (const [index, body] of bodies.entries()) if (index > 0) expect(goesOn(bodies[index - 1], body)).toBe(true)
    expect(session.breaks()).toEqual([])
    await session.close()

    // A conversation that was told to search goes on to search, whatever has become of the servers.
    await server.become({ tools: ['job_1'] })
    const resumed = await start({ store, open: { resume: session.id }, plugins: [mcp(options)], details: asking })
    const last = bodies.at(-1)
    await eventsOf(resumed.query('call ToolSearch {"query":"job 1"}'))
    expect(goesOn(last, bodies.at(-1))).toBe(true)
    expect(JSON.stringify(await eventsOf(resumed.query('call mcp__one__job_1')))).toContain('ran job_1')
    expect(simulator.ledger.totals().failed).toBe(0)
  })

  it('are sent whole below the limit', async () => {
    const server = await stdioServer({ tools: MANY })
    const { start, bodies } = await setUp(obeying())
    const session = await start({ plugins: [mcp(only({ one: server }))] })
    await eventsOf(session.query('Hello.'))
    expect(namesOf(bodies[0])).toHaveLength(202)
    expect(namesOf(bodies[0])).not.toContain('ToolSearch')
    expect(bodies[0]).not.toContain('defer_loading')
  })
})

describe('where the model knows no deferred tools', () => {
  it('they are described in words and called by a tool, and gates judge the tool that is meant', async () => {
    const server = await stdioServer({ tools: MANY, descriptions })
    const call = (name: string, input: object) => [{ type: 'tool_use', name, input }]
    const model = scriptedModel([
      call('ToolSearch', { query: 'garden' }),
      call('CallMcpTool', { name: 'mcp__one__job_42', input: {} }),
      call('CallMcpTool', { name: 'mcp__one__job_13', input: {} }),
      call('CallMcpTool', { name: 'mcp__one__no_job' }),
    ])
    const gate = definePlugin({
      name: 'gate',
      setup: () => ({
        hooks: {
          PreToolUse: ({ call }) =>
            call.name === 'mcp__one__job_13' ? { verdict: 'deny', reason: 'Never job 13.' } : undefined,
        },
      }),
    })
    const plugins = [gate, mcp(only({ one: server }, { deferAbove: 0 }))]
    const asked: string[] = []
    const ask = async (_call: unknown, reason: string) => {
      asked.push(reason)
      return 'allow' as const
    }
    const session = await createSession({ model, plugins, details: { ask } })
    await eventsOf(session.query('Go.'))
    await session.close()
    const sent = (index: number) => JSON.stringify(model.requests[index]?.messages.at(-1))
    expect(JSON.stringify(model.requests[0]?.epoch.tools)).not.toContain('job_42"')
    expect(sent(1)).toContain('mcp__one__job_42: Waters the garden on the moon.')
    expect(sent(2)).toContain('ran job_42')
    expect(sent(3)).toContain('Never job 13.')
    expect(sent(4)).toContain("There is no tool 'mcp__one__no_job'")
    expect(asked).toEqual(["'job_42' of the MCP server 'one' wants to run."])
  })
})
