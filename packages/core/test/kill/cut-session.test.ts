import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ModelTurn, type ReplyBlock, type SimulatedModel, stillClock } from '@nacre/simulator'
import { assert, asyncProperty, integer, noBias } from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isNacreError } from '../../src/errors.js'
import { foldDraft } from '../../src/fold/fold-draft.js'
import { fileStore } from '../../src/node/file-store.js'
import { decodeBatch } from '../../src/node/log-lines.js'
import type { Entry } from '../../src/types/log.js'
import { definePlugin } from '../../src/types/plugin.js'
import type { Store } from '../../src/types/store.js'
import { run, endOf as theEnd, unmarked } from '../faults/trial.js'
import { PROJECT, placeOf } from '../node/log-path.js'
import { type Setup, setUp } from '../session/setup.js'
import { illegalities } from '../view/oracle.js'
import { workerTools } from './worker-tools.js'

const ID = 'cut'
const PROMPTS = ['one', 'two', 'three', 'four']
const NEXT = 'And now?'

/** Two turns with calls for each prompt, then an answer. */
const model: SimulatedModel = ({ messages }: ModelTurn) => {
  const isPrompt = ({ text }: { readonly [field: string]: unknown }) => [...PROMPTS, NEXT].includes(String(text))
  const last = messages.findLastIndex(({ content }) => content.some(isPrompt))
  const turn = messages.slice(last).filter(({ role }) => role === 'assistant').length
  const name = (index: number) => (index % 2 === 0 ? 'look' : 'write')
  const calls = Array.from({ length: turn + 1 }, (_, index): ReplyBlock => {
    return { type: 'tool_use', name: name(index), input: { what: `ü ${turn}.${index}` } }
  })
  return turn < 2 ? ['I see. ', ...calls] : 'That is all. '.repeat(20)
}

/** Changes results, notes something beside them, and folds when a person asks. */
const busy = definePlugin({
  name: 'busy',
  setup: () => ({
    hooks: {
      PostToolUse({ value }, context) {
        context.note({ trust: 'content', text: 'A result was seen.' })
        return { ...value, content: [{ type: 'text', text: 'shortened' }] }
      },
    },
    reliefs: [
      {
        name: 'folding',
        rung: 'summary',
        offer(view) {
          const [first, last] = [view.rounds[0], view.rounds.at(-2)]
          if (!first || !last) return undefined
          const span = { from: first.span.from, to: last.span.to }
          return { span, frees: 1, dollars: 0, draft: () => foldDraft(view, span, 'All went well so far.') }
        },
      },
    ],
  }),
})

const home = mkdtempSync(join(tmpdir(), 'nacre-cut-session-'))
const { log } = placeOf(home, ID)
const store = (): Store => fileStore({ home, project: PROJECT })
let whole = Buffer.alloc(0)

async function start({ start }: Setup, open: { id: string } | { resume: string }) {
  return start({ store: store(), plugins: [busy], tools: workerTools(() => undefined, 0), open })
}

const simulate = () => setUp(model, { clock: stillClock() })

beforeAll(async () => {
  mkdirSync(dirname(log), { recursive: true })
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** A log with calls, edits, notes, and a fold with its checkpoint. */
async function written(setup: Setup): Promise<Buffer> {
  if (whole.length > 0) return whole
  const session = await start(setup, { id: ID })
  for (const prompt of PROMPTS) {
    if (prompt === 'four') expect(await session.compact()).toMatchObject({ receipt: { rung: 'summary' } })
    expect(theEnd(await run(session, prompt)).reason).toBe('done')
  }
  await session.close()
  whole = readFileSync(log)
  return whole
}

/** What is whole in the first bytes of a log. */
function entriesIn(bytes: Buffer): Entry[] {
  const end = bytes.lastIndexOf('\n') + 1
  const lines = bytes.subarray(0, end).toString().split('\n').slice(0, -1)
  return lines.flatMap((line) => decodeBatch(Buffer.from(line), log)?.entries ?? [])
}

it('opens a log that was cut at any byte, and goes on from there', async () => {
  const setup = await simulate()
  const bytes = await written(setup)
  await assert(
    asyncProperty(noBias(integer({ min: 0, max: bytes.length })), async (cut) => {
      writeFileSync(log, bytes.subarray(0, cut))
      const left = entriesIn(bytes.subarray(0, cut))
      const session = await start(setup, { resume: ID }).catch((error: unknown) => {
        expect([isNacreError(error, 'SESSION_NOT_FOUND'), left.length]).toEqual([true, 0])
      })
      if (!session) return
      const sent = setup.bodies.length
      expect(theEnd(await run(session, NEXT))).toEqual({ type: 'end', reason: 'done' })
      await session.close()
      for (const body of setup.bodies.slice(sent)) expect(illegalities(unmarked(body).messages)).toEqual([])
      const kept = new Set(entriesIn(readFileSync(log)).map(({ id }) => id))
      expect(left.filter(({ id }) => !kept.has(id))).toEqual([])
    }),
    { numRuns: 60, seed: 20_261_116, examples: [[0], [1], [bytes.length - 1], [bytes.length]] },
  )
})

it('never shows a result without what a plugin has made of it, wherever the log is cut', async () => {
  const bytes = await written(await simulate())
  for (let cut = bytes.indexOf('\n') + 1; cut > 0; cut = bytes.indexOf('\n', cut) + 1) {
    const entries = entriesIn(bytes.subarray(0, cut))
    const changed = new Set(
      entries.flatMap((entry) =>
        entry.kind === 'edit'
          ? entry.changes.map((change) => (change.kind === 'replace' ? change.target.entry : ''))
          : [],
      ),
    )
    const results = entries.filter(
      (entry) => entry.kind === 'user' && entry.content.some(({ type }) => type === 'tool_result'),
    )
    expect(results.filter(({ id }) => !changed.has(id))).toEqual([])
  }
})
