import type Anthropic from '@anthropic-ai/sdk'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cacheOracle, type OraclePosition } from '../support/cache-oracle.js'
import { bill, count, type Request, request, type Ttl, text, tiny, tool, user } from '../support/prompt-cache.js'
import { simulate } from '../support/simulate.js'

const MINIMUM = 60
const WORDS = ['one', 'two words', 'three short words', 'now these are four', 'and here there are five']
const MINUTE = 60_000

/** What a client does next: it changes the conversation, lets some time pass, marks some places and sends it all. */
interface Step {
  readonly edit: {
    readonly kind: 'append' | 'replace' | 'cut' | 'keep'
    readonly words: readonly number[]
    readonly at: number
  }
  readonly effort: 'low' | 'high'
  readonly hasTool: boolean
  readonly wait: number
  /** Places as shares of the prompt, from its start to its end. */
  readonly marks: readonly number[]
  /** How many of the marks, from the first on, are for an hour. */
  readonly long: number
}

const word = fc.nat(WORDS.length - 1)
const share = fc.noBias(fc.nat(100)).map((percent) => percent / 100)

/** Leans towards what the rules turn on: the twenty positions of a look back, the two ends, the two lifetimes. */
const step = fc.record<Step>({
  edit: fc.record({
    kind: fc.constantFrom('append', 'append', 'append', 'replace', 'cut', 'keep'),
    words: fc.oneof(
      fc.array(word, { minLength: 1, maxLength: 6 }),
      fc.array(word, { minLength: 19, maxLength: 21, size: 'max' }),
    ),
    at: share,
  }),
  effort: fc.constantFrom('high', 'high', 'high', 'high', 'low'),
  hasTool: fc.constantFrom(true, true, true, true, false),
  wait: fc.constantFrom(0, 0, 0, 0, MINUTE, MINUTE, 5 * MINUTE - 1, 5 * MINUTE, 60 * MINUTE - 1, 60 * MINUTE),
  marks: fc.oneof(fc.constantFrom([], [1], [0, 1]), fc.noBias(fc.array(share, { minLength: 1, maxLength: 4 }))),
  long: fc.nat(4),
})

/** The conversation after an edit; its first block is never changed away, so that there is always one. */
function edited(blocks: readonly number[], { kind, words, at }: Step['edit']): readonly number[] {
  if (kind === 'keep') return blocks
  const place = Math.floor(at * (blocks.length - 1))
  if (kind === 'append') return [...blocks, ...words]
  return kind === 'cut' ? blocks.slice(0, place + 1) : blocks.with(place, words[0] ?? 0)
}

/** The lifetimes of marked positions by index. */
function markedAt({ marks, long }: Step, size: number): ReadonlyMap<number, Ttl> {
  const places = [...new Set(marks.map((share) => Math.floor(share * (size - 1))))].sort((a, b) => a - b)
  return new Map(places.map((place, index) => [place, index < long ? '1h' : '5m']))
}

/** What each kind of position weighs, measured once. */
async function weigh(client: Anthropic) {
  const alone = await count(client, request([text('one')]))
  const words = await Promise.all(
    WORDS.map(async (each) => (await count(client, request([text('one'), text(each)]))) - alone),
  )
  return { words, alone, turn: alone - (words[0] ?? 0) }
}

type Weights = Awaited<ReturnType<typeof weigh>>

/** What sets a run apart from all others, so that none reads what another wrote. */
async function saltFor(client: Anthropic, run: number, { alone }: Weights) {
  const [name, system] = [`look_${run}`, `Conversation ${run}.`]
  const withSystem = await count(client, request([text('one')], { system }))
  const withBoth = await count(client, request([text('one')], { system, tools: [tool(name)] }))
  return { name, nameTokens: withBoth - withSystem, system, systemTokens: withSystem - alone }
}

type Salt = Awaited<ReturnType<typeof saltFor>>

/** One request, as it is sent and as the oracle reads it. */
function layOut(step: Step, blocks: readonly number[], salt: Salt, weights: Weights) {
  const { effort, hasTool } = step
  const size = (hasTool ? 1 : 0) + 1 + blocks.length
  const marks = markedAt(step, size)
  const start = size - blocks.length
  const positions: OraclePosition[] = [
    ...(hasTool ? [{ says: salt.name, tokens: salt.nameTokens, ttl: marks.get(0) }] : []),
    { says: salt.system, tokens: salt.systemTokens, ttl: marks.get(start - 1) },
    ...blocks.map((word, index) => ({
      says: `${effort} ${word}`,
      tokens: (weights.words[word] ?? 0) + (index === 0 ? weights.turn : 0),
      ttl: marks.get(start + index),
    })),
  ]
  const body: Request = request([], {
    ...(hasTool && { tools: [tool(salt.name, marks.get(0))] }),
    system: [text(salt.system, marks.get(start - 1))],
    messages: [user(...blocks.map((word, index) => text(WORDS[word] ?? '', marks.get(start + index))))],
    output_config: { effort },
  })
  return { positions, body }
}

it('[C6] bills every request of any conversation as the documented rules say', async () => {
  const { client, simulator } = await simulate({ models: [{ ...tiny, cacheMinimum: MINIMUM }] })
  const weights = await weigh(client)
  const bills = { read: 0, write5m: 0, write1h: 0 }
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const salt = await saltFor(client, run++, weights)
      const expectedBill = cacheOracle(MINIMUM)
      let blocks: readonly number[] = [0]
      for (const next of steps) {
        blocks = edited(blocks, next.edit)
        simulator.clock.advance(next.wait)
        const { body, positions } = layOut(next, blocks, salt, weights)
        const billed = await bill(client, body)
        expect(billed).toEqual(expectedBill(positions, simulator.clock.now()))
        for (const kind of ['read', 'write5m', 'write1h'] as const) bills[kind] += billed[kind] > 0 ? 1 : 0
      }
    }),
    { numRuns: 60, seed: 20_261_116 },
  )
  for (const seen of Object.values(bills)) expect(seen).toBeGreaterThan(30)
})
