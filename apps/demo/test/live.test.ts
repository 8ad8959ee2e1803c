import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { offline, startSimulator } from '@nacre/simulator'
import { expect, it, onTestFinished } from 'vitest'
import type { Live } from '../src/outcome/outcome.js'
import { scenarios } from '../src/play/story.js'
import { runDemo } from './run-demo.js'

it('plays the work with whatever API the environment names, and tells what came of it', async () => {
  const simulator = await startSimulator({ model: offline({ scenarios }) })
  onTestFinished(() => simulator.close())
  const environment = { ANTHROPIC_BASE_URL: simulator.url, ANTHROPIC_API_KEY: 'any' }
  const { code, stdout, stderr } = await runDemo(['--live', '--json'], environment)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const live = JSON.parse(stdout) as Live
  expect(live).toMatchObject({ version: 1, model: 'claude-sonnet-5', isFixed: true })
  const { requests, dollars } = simulator.ledger.totals()
  expect(live.dollars).toBeCloseTo(dollars, 10)
  expect(live.requests).toBe(requests - simulator.ledger.totals('session_memory').requests)
  expect(new Set(live.firings.map(({ layer }) => layer))).toEqual(new Set(['stored', 'cleared', 'noted', 'free']))
})

it("fails with what the API said when that refuses, and needs no key for a server of one's own", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ type: 'error', error: { type: 'authentication_error', message: 'who are you' } }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { code, stdout, stderr } = await runDemo(['--live'], { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` })
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toContain('It stopped: who are you')
  expect(stdout).toContain('No layer fired.')
})
