import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgents } from '@nacre/agents'
import { compact } from '@nacre/compact'
import { createSession } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { scripted, startSimulator } from '@nacre/simulator'
import { standardTools } from '@nacre/tools'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { eventsOf } from './talk.js'

const cwd = mkdtempSync(join(tmpdir(), 'nacre-forks-'))
beforeAll(() => writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\n'.repeat(400)))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const LONG = 'A long story about a boat and its crew on a river. '.repeat(400)
const fork = (name: string) => ({
  type: 'tool_use' as const,
  name: 'Agent',
  input: { description: 'a part', prompt: `Do the part of ${name}.`, mode: 'fork', name },
})

it('eight forks from a long conversation write one prefix and read it seven times, with all tools of a coding agent', async () => {
  const simulator = await startSimulator({
    model: scripted(({ source, messages }) => {
      const said = JSON.stringify(messages.at(-1))
      if (source !== 'main') return `${source} has done its part.`
      if (said.includes('Read it'))
        return [{ type: 'tool_use', name: 'Read', input: { file_path: join(cwd, 'a.txt') } }]
      return said.includes('Fan out') ? Array.from({ length: 8 }, (_, n) => fork(`f${n}`)) : 'ok'
    }),
  })
  onTestFinished(() => simulator.close())
  const bodies: { readonly source: string; readonly body: string }[] = []
  simulator.observe(({ body, entry }) => bodies.push({ source: entry.source, body }))
  const layer = createAgents()
  const session = await createSession({
    model: anthropicModel({ model: 'claude-opus-5-5', apiKey: 'test', baseURL: simulator.url }),
    plugins: [...standardTools({ mcp: { files: {} } }), ...compact(), layer.plugin],
    cwd,
  })
  onTestFinished(() => session.close())
  await eventsOf(session.query(`Read it. ${LONG}`))
  await eventsOf(session.query(LONG))
  await eventsOf(session.query('Fan out.'))
  expect(
    layer
      .of(session.id)
      ?.agents()
      .map(({ name, state }) => `${name} ${state}`),
  ).toEqual(Array.from({ length: 8 }, (_, n) => `f${n} done`))
  const forks = bodies.filter(({ source }) => source.startsWith('agent:'))
  expect(forks).toHaveLength(8)
  // The directive of each is its last text block, and all else is the same to the byte.
  const rest = forks.map(({ body }) => {
    const request = JSON.parse(body) as { messages: { content: { type: string; text?: string }[] }[] }
    const last = request.messages.at(-1)?.content.pop()
    expect(last?.text).toContain('<fork-directive agent="f')
    return JSON.stringify(request).replace(/agent:f\d/g, '')
  })
  expect(new Set(rest).size).toBe(1)
  const totals = Array.from({ length: 8 }, (_, n) => simulator.ledger.totals(`agent:f${n}`))
  const writes = totals.map(({ write5m }) => write5m).filter((tokens) => tokens > 0)
  expect(writes).toHaveLength(1)
  const reads = totals.map(({ read }) => read).toSorted((one, other) => one - other)
  expect(new Set(reads.slice(1))).toEqual(new Set([(reads[0] as number) + (writes[0] as number)]))
  expect(session.breaks()).toEqual([])
  // What the fan-out paid for the prefix is a small part of what eight new agents would have paid.
  const prompt = totals.map(({ read, write5m, input }) => read + write5m + input)
  expect(Math.max(...totals.map(({ input }) => input)) / Math.max(...prompt)).toBeLessThan(0.1)
})
