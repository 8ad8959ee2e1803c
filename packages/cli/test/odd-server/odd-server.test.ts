import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compact } from '@nacre/compact'
import { createSession, isNacreError, type SessionEvent, type Tool } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { sessionMemory } from '@nacre/session-memory'
import { expect, it, onTestFinished } from 'vitest'
import { chanceOf } from './chance.js'
import { oddText, words } from './odd-answers.js'
import { type Asked, startOddServer } from './odd-server.js'

const isLong = process.env.NACRE_SOAK === '1'
const SESSIONS = isLong ? 500 : 20
const TURNS = isLong ? 30 : 10
/** At once, so that waiting for the socket takes no time. */
const BESIDE = 5
/** The answers of the server ask for about two requests a turn; every retry and every summary is in this. */
const MOST_REQUESTS = 8 * TURNS

interface Played {
  readonly asked: Asked
  readonly ends: readonly string[]
  readonly folds: readonly string[]
}

it(`survives ${SESSIONS} sessions of ${TURNS} turns with a server that is odd at random`, async () => {
  const server = await startOddServer()
  onTestFinished(server.close)
  const home = mkdtempSync(join(tmpdir(), 'nacre-odd-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const played: Played[] = []
  const seeds = Array.from({ length: SESSIONS }, (_, index) => index + 1)
  const playNext = async (): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) played.push(await play(server, home, seed))
  }
  await Promise.all(Array.from({ length: BESIDE }, playNext))
  const kinds = new Map<string, number>()
  for (const { asked } of played)
    for (const [kind, count] of asked.kinds) kinds.set(kind, (kinds.get(kind) ?? 0) + count)
  const most = Math.max(...played.map(({ asked }) => asked.requests))
  const folds = countOf(played.flatMap((each) => each.folds))
  if (isLong)
    console.log({ kinds: Object.fromEntries(kinds), ends: countOf(played.flatMap(({ ends }) => ends)), folds, most })
  expect(played.flatMap(({ asked }) => asked.refused)).toEqual([])
  expect(played.every(({ ends }) => ends.length === TURNS)).toBe(true)
  expect(most).toBeLessThanOrEqual(MOST_REQUESTS)
  expect(Object.keys(folds).length).toBeGreaterThan(0)
  expect(kinds.size).toBeGreaterThanOrEqual(8)
})

function countOf(items: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[item] = (counts[item] ?? 0) + 1
  return counts
}

/** What a turn may end with, where the server is to blame. A request that was refused is the fault of the runtime. */
const FORGIVEN = new Set([
  'OVERLOADED',
  'RATE_LIMITED',
  'SERVER',
  'NETWORK',
  'STREAM_CUT',
  'PROMPT_TOO_LONG',
  'LIMIT_REACHED',
])

async function play(server: Awaited<ReturnType<typeof startOddServer>>, home: string, seed: number): Promise<Played> {
  const chance = chanceOf(seed * 7919)
  const { url, asked } = server.session(seed)
  const ends: string[] = []
  const folds: string[] = []
  // A thousand times faster than a day.
  const timer = (milliseconds: number, fire: () => void) => {
    const handle = setTimeout(fire, milliseconds / 1_000)
    return () => clearTimeout(handle)
  }
  const session = await createSession({
    model: anthropicModel({ model: 'claude-opus-4-5', apiKey: 'test', baseURL: url, idle: { timer } }),
    plugins: [compact(), sessionMemory({ home, project: String(seed) })],
    tools: [look],
    system: 'You work on a parser.',
    details: { limits: { contextBudget: 14_000 }, effects: { wait: () => undefined, random: chance.next } },
  })
  session.events.on('receipt', ({ receipt }) => void folds.push(receipt.rung))
  for (let turn = 1; turn <= TURNS; turn++) {
    const prompt = `Go on with step ${turn} of src/${words(chance, 1)}.ts. ${oddText(chance, 1_200)}`
    let end: Extract<SessionEvent, { type: 'end' }> | undefined
    for await (const event of session.query(prompt)) if (event.type === 'end') end = event
    ends.push(end?.error ? `${end.reason} ${end.error.code}` : String(end?.reason))
    const { error } = end ?? {}
    if (error && !(isNacreError(error) && FORGIVEN.has(error.code)))
      throw new Error(`Session ${seed}, turn ${turn}`, { cause: error })
  }
  await session.close()
  return { asked, ends, folds }
}

const look: Tool = {
  name: 'look',
  description: 'Looks at a file.',
  schema: { json: { type: 'object', properties: { path: { type: 'string' } } }, parse: (input) => input },
  isCompactable: true,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: (input) => {
    const { path } = input as { readonly path?: unknown }
    return { content: [{ type: 'text', text: `${String(path)}: ${'const port = 8443 \ud83d\n'.repeat(60)}` }] }
  },
}
