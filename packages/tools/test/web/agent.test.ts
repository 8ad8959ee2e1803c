import { createSession } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { pluginContract } from '@nacre/core/testing'
import { scripted } from '@nacre/simulator'
import { assertConforms, pluginConformance } from '@nacre/simulator/conformance'
import { describe, expect, it } from 'vitest'
import { web, webFetchTool } from '../../src/index.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { toolContext } from '../support/tool-context.js'
import { page, serve } from './serve.js'

await pluginContract('web', { create: () => web() })

describe('the web plugin', () => {
  it('conforms', async () => {
    const server = await serve(page('<h1>Hi</h1>'))
    const report = await pluginConformance({
      createSession,
      model: (baseURL) => anthropicModel({ model: 'claude-opus-5-5', apiKey: 'any', baseURL }),
      plugin: web({ allow: ['127.0.0.1'] }),
      calls: [
        { name: 'WebFetch', input: { url: server.url } },
        { name: 'WebFetch', input: { url: 'http://10.0.0.1/' } },
        { name: 'WebFetch', input: { url: 'nonsense' } },
      ],
      runs: 1,
    })
    assertConforms(report)
  })

  it('gives the model a page, or the reason why there is none', async () => {
    const server = await serve(page('<h1>Release notes</h1>'))
    let turn = 0
    const { bodies, start } = await setUp(
      scripted(() => {
        turn += 1
        if (turn > 1) return 'done'
        return [
          { type: 'tool_use', name: 'WebFetch', input: { url: server.url, prompt: 'What is new?' } },
          { type: 'tool_use', name: 'WebFetch', input: { url: 'http://169.254.169.254/' } },
        ]
      }),
    )
    const allowAll = {
      name: 'allow',
      setup: () => ({ hooks: { PermissionRequest: () => ({ verdict: 'allow', reason: 'test' }) as const } }),
    }
    const session = await start({ plugins: [web({ allow: [server.host] }), allowAll] })
    await eventsOf(session.query('What is new?'))
    expect(bodies.at(-1)).toContain('# Release notes')
    expect(bodies.at(-1)).toContain('169.254.169.254 is not on the public internet')
  })

  it('asks before it fetches, and names the host', async () => {
    const tool = webFetchTool()
    expect(await tool.check?.({ url: 'https://docs.example.com:8443/a' }, toolContext('/'))).toEqual({
      verdict: 'ask',
      reason: 'Fetch from docs.example.com:8443',
    })
    expect(tool).toMatchObject({ isCompactable: true, maxResultChars: 50_000 })
    expect(tool.isReadOnly({ url: '' })).toBe(true)
    expect(tool.isConcurrencySafe({ url: '' })).toBe(true)
    expect(tool.title({ url: 'https://example.com' })).toBe('Fetch https://example.com')
  })
})
