import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tool } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import { scripted } from '@nacre/simulator'
import { expect, it, onTestFinished } from 'vitest'
import { lastSaid, simulated } from '../support/simulated.js'
import { eventsOf } from '../support/talk.js'

const AGENTS = 50
const DEADLINE = 4_000

/** What the agents of these numbers do instead of their work. */
const ODD: Readonly<Record<number, string>> = { 7: 'loop', 13: 'hang', 29: 'spend', 41: 'hang' }

const hang: Tool = {
  name: 'hang',
  description: 'Never ends, and listens to nobody.',
  schema: { json: { type: 'object' }, parse: (input) => input },
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: () => new Promise(() => undefined),
}
const look: Tool = { ...hang, name: 'look', run: () => ({ content: [{ type: 'text', text: 'a line of a file' }] }) }

function openFiles(): number {
  return process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0
}

async function heap(): Promise<number> {
  const { gc } = globalThis as { gc?: () => void }
  for (let round = 0; round < 3; round++) {
    gc?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return process.memoryUsage().heapUsed
}

it('fifty agents on a server that fails one time in five: every result comes once, and the odd ones end in time', async () => {
  const home = mkdtempSync(join(tmpdir(), 'nacre-fifty-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const agent = (n: number) => ({
    type: 'tool_use' as const,
    name: 'Agent',
    input: { description: `part ${n}`, prompt: `Do part ${n}.`, name: `a${n}`, run_in_background: n % 2 === 0 },
  })
  const { simulator, session, team } = await simulated(
    scripted(({ source, messages }) => {
      const said = lastSaid(messages)
      if (source === 'main') {
        if (said.includes('Go.')) return Array.from({ length: AGENTS }, (_, n) => agent(n))
        const names = [...said.matchAll(/<agent-notice agent="(a\d+)"/g)].map(([, name]) => name)
        return names.length > 0
          ? names.map((name) => ({ type: 'tool_use' as const, name: 'Agents', input: { action: 'read', name } }))
          : 'ok'
      }
      const number = Number(/a(\d+)/.exec(source)?.[1])
      const odd = ODD[number]
      if (odd === 'spend') return ['word '.repeat(30_000), { type: 'tool_use', name: 'look', input: {} }]
      if (odd) return [{ type: 'tool_use', name: odd === 'hang' ? 'hang' : 'look', input: {} }]
      const turns = messages.filter(({ role }) => role === 'assistant').length
      return turns < 3 ? [{ type: 'tool_use', name: 'look', input: {} }] : `The result of part ${number}.`
    }),
    {
      agents: { limits: { deadline: DEADLINE, turns: 12, dollars: 1 } },
      session: { store: fileStore({ home, project: home }), tools: [hang, look] },
    },
  )
  for (const [index, kind] of (['overloaded', 'internal', 'reset', 'cut', 'stream-error'] as const).entries()) {
    simulator.faults.add({ kind, probability: 0.04, seed: index + 1 })
  }
  await eventsOf(session.query('Warm up.'))
  const before = { files: openFiles(), heap: await heap() }
  const start = performance.now()
  await eventsOf(session.query('Go.'))
  while ((await team.wait(undefined, 1e6, new AbortController().signal)).length > 0 || session.isSteered()) {
    if (session.isSteered()) await eventsOf(session.query())
  }
  // One that hangs is ended by its deadline; the rest of the time is the work of fifty.
  expect(performance.now() - start).toBeLessThan(DEADLINE + 20_000)
  const agents = team.agents()
  expect(agents).toHaveLength(AGENTS)
  for (const { name, state, reason, result, started, ended = 0 } of agents) {
    const odd = ODD[Number(name.slice(1))]
    expect(result?.isRead, name).toBe(true)
    if (odd) expect([name, state, reason]).toEqual([name, 'failed', REASONS[odd]])
    else expect([name, state, reason]).toEqual([name, 'done', undefined])
    expect(ended - started, name).toBeLessThan(DEADLINE + 2_500)
  }
  // Every result is in the conversation exactly once.
  const heard = JSON.stringify(session.view().rounds.map(({ entries }) => entries))
  for (let n = 0; n < AGENTS; n++) {
    const text = ODD[n] ? `The agent a${n} did not finish` : `The result of part ${n}.`
    expect(heard.split(text).length - 1, text).toBe(1)
  }
  const after = { files: openFiles(), heap: await heap() }
  expect(after.files).toBeLessThanOrEqual(before.files + 12)
  expect(after.heap - before.heap).toBeLessThan(40_000_000)
})

const REASONS: Readonly<Record<string, string>> = {
  loop: 'it reached its limit of 12 turns',
  hang: 'its deadline of 4 s has passed',
  spend: 'it went over its limit of $1',
}
