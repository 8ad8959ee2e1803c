import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CompactOutcome, Receipt } from '@nacre/core'
import { offline, type SimulatedModel } from '@nacre/simulator'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { firstDifference } from './recorded/first-difference.js'
import {
  accountsOf,
  editsInForce,
  editsSince,
  hashOf,
  nextRequest,
  type Recording,
  type Resumed,
  readRecording,
  resume,
  told,
} from './recorded/recording.js'

// Two sessions of fifty prompts, recorded when all layers had just been put together: one on a model whose thinking is
// bound to its prefix, one on a model that keeps it, with `cacheEdits`. They went over the socket of the simulator; the
// model was a script that used every tool, and time and ids were passed in. In each of them old results were erased and
// cleared, long ones stored, rounds snipped by the model and by the person; the past was folded by a summary of all, by
// notes, and by a summary of a part; a clear and a snip were undone, a prompt was rewound; and there are todos, a plan, a
// rule, limits and notes. The data folder was copied while the last prompt was on its way, as a kill would leave it. What
// is expected of it was asked of the code of that day; what a fold of today brings back, in which order, and the names of
// what fills the context are those of today.
//
// Logs are kept for years. Whoever has to change a figure here breaks those of users.

interface Expected {
  /** Hashes of requests are those of `Recording.bodies`. */
  readonly next: string
  readonly edits: readonly InForce[]
  /** With all folds taken back, the newest first: then what lies below them shows too. */
  readonly unfolded: {
    readonly folds: readonly Pick<InForce, 'edit' | 'by'>[]
    readonly next: string
    readonly edits: readonly InForce[]
  }
  /** Hashes of values, by owner and key. */
  readonly states: Readonly<Record<string, string>>
  readonly commands: Readonly<Record<string, string>>
  readonly folds: Readonly<Record<string, { readonly next: string; readonly restored: readonly string[] }>>
  readonly accounts: Readonly<Record<string, unknown>>
}

interface InForce {
  readonly edit: string
  readonly owner: string
  readonly reason: string
  /** The request once it is taken back, where that changes it. */
  readonly without?: string
  /** Who has made edits since the session was resumed, once it is taken back. */
  readonly by?: readonly string[]
}

type Flags = Readonly<Record<string, boolean>>

const expectations = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded', 'expected.json'), 'utf8'),
) as Readonly<Record<string, Expected>>

/** What has to be off for a fold by hand on a rung that needs no model. */
const FOLDING: Readonly<Record<string, Flags>> = {
  notes: {},
  digest: { 'session-memory': false, 'compact.summary': false },
}

const [ERASED, CLEARED] = ['the API clears 1 old input, 14 old results', 'cleared 5 old results']
const BY_NOTES = 'by the notes of the session: covers up to turn 185'
const [NO_RESULTS, NO_NOTES] = [
  { 'compact.api': false, 'compact.clear': false, 'compact.snip': false },
  { 'session-memory': false },
]

/** What makes room, and how the query ends. */
type Rung = readonly [Flags, readonly string[], 'done' | 'blocked']

/** What is left to make room with, rung by rung, as one flag after the other is switched off. */
const LADDER: readonly Rung[] = [
  [{ 'compact.api': false }, [CLEARED, BY_NOTES], 'done'],
  [{ 'compact.api': false, 'compact.clear': false }, [BY_NOTES], 'done'],
  [{ ...NO_RESULTS, ...NO_NOTES }, ['summarised on the shared cache'], 'done'],
  [{ ...NO_RESULTS, 'session-memory.relief': false }, ['summarised on the shared cache'], 'done'],
  [{ ...NO_RESULTS, ...NO_NOTES, 'compact.summary': false }, ['digest without a model'], 'done'],
  [{ ...NO_RESULTS, ...NO_NOTES, 'compact.summary': false, 'compact.digest': false }, [], 'blocked'],
  [{ ...NO_RESULTS, ...NO_NOTES, 'compact.collapse': true }, ['collapse: a finished span of work'], 'done'],
  [{ compact: false }, [BY_NOTES], 'done'],
  [{ compact: false, ...NO_NOTES }, [], 'blocked'],
  // A part is off while the whole is.
  [{ compact: false, 'compact.cached': true, ...NO_NOTES }, [], 'blocked'],
]
const RELIEFS: Readonly<Record<string, readonly Rung[]>> = {
  bound: [[{}, [CLEARED, ERASED], 'done'], ...LADDER],
  kept: [
    [{}, [CLEARED, BY_NOTES], 'done'],
    [
      { 'compact.cached': true },
      ['deleted 11 old results from the cache', 'deleted 1 old result from the cache'],
      'done',
    ],
    ...LADDER,
  ],
}

describe.each(Object.entries(expectations))(
  'a session that was recorded on a model with %s thinking',
  (name, expected) => {
    let recording: Recording
    beforeAll(async () => {
      recording = await readRecording(name)
    })

    /** By its hash; where that is another one, by the first place that differs. */
    function expectRequest(body: string, hash: string): void {
      if (hashOf(body) === hash) return
      expect(firstDifference(body, recording.bodies[hash] ?? '')).toBeUndefined()
      expect(hashOf(body)).toBe(hash)
    }

    it('asks again for what it was killed in, to the byte', async () => {
      const resumed = await resume(recording)
      const body = await nextRequest(resumed)
      expectRequest(body, expected.next)
      // A session that was resumed does not know where the cache ends: it marks other blocks.
      expect(firstDifference(unmarked(body), unmarked(recording.sent))).toBeUndefined()
    })

    it('says with the tools of today what it said, and then which are new where the model takes them so late', async () => {
      const body = unmarked(await nextRequest(await resume(recording, { hasNewTools: true })))
      const said = unmarked(recording.sent)
      expect(toolsIn(body)).toEqual(toolsIn(said))
      expect(messagesIn(body).slice(0, messagesIn(said).length)).toEqual(messagesIn(said))
      const news = messagesIn(body).slice(messagesIn(said).length)
      expect(news).toHaveLength(name === 'bound' ? 1 : 0)
      for (const message of news) expect(JSON.stringify(message)).toContain('"type":"tool_addition"')
    })

    it('is accepted by the server as it is', async () => {
      const { session, simulator } = await resume(recording, { answers: () => 'Done.' })
      const ends: string[] = []
      for await (const event of session.query()) if (event.type === 'end') ends.push(event.reason)
      expect(ends).toEqual(['done'])
      expect(simulator.ledger.totals().failed).toBe(0)
    })

    it('has the edits in force that it had', async () => {
      const { log } = await resume(recording)
      const known = editsInForce(await log()).map(({ id, owner, reason }) => ({ edit: id, owner, reason }))
      expect(known).toEqual(expected.edits.map(({ edit, owner, reason }) => ({ edit, owner, reason })))
    })

    /** A layer may answer an undo with an edit of its own, which nobody waits for. */
    const made = (resumed: Resumed, by: readonly string[]) =>
      vi.waitFor(async () => {
        const edits = await editsSince(resumed, recording)
        expect(edits.map(({ owner }) => owner)).toEqual(by)
        return edits
      })

    const shown = expected.edits.filter(({ without }) => without !== undefined)
    it.each(shown)(
      'takes back what $owner did, and does it again: $reason',
      async ({ edit, without = '', by = [] }) => {
        const resumed = await resume(recording)
        await resumed.session.undo({ edit, force: true })
        const edits = await made(resumed, by)
        expectRequest(await nextRequest(resumed), without)
        for (const { id } of edits) await resumed.session.undo({ edit: id, force: true })
        expectRequest(await nextRequest(resumed), expected.next)
      },
    )

    it('takes back and does again what lies below the folds', async () => {
      const { folds, next, edits } = expected.unfolded
      const resumed = await resume(recording)
      for (const { edit, by = [] } of folds) {
        await resumed.session.undo({ edit, force: true })
        await made(resumed, by)
      }
      expectRequest(await nextRequest(resumed), next)
      for (const { edit, without = '' } of edits) {
        const { id } = await resumed.session.undo({ edit, force: true })
        expectRequest(await nextRequest(resumed), without)
        await resumed.session.undo({ edit: id, force: true })
        expectRequest(await nextRequest(resumed), next)
      }
    })

    it('finds the states of all layers', async () => {
      const resumed = await resume(recording)
      const { session } = resumed
      const found = Object.keys(expected.states).map((name) => {
        const [owner = '', key = ''] = name.split(' ')
        return [name, hashOf(JSON.stringify(session.view().state(owner, key) ?? null))]
      })
      expect(Object.fromEntries(found)).toEqual(expected.states)
      for (const [words, text] of Object.entries(expected.commands)) expect(await told(resumed, words)).toBe(text)
    })

    it.each(Object.entries(expected.folds))('folds on with %s, and brings the same back', async (rung, fold) => {
      const resumed = await resume(recording, { flags: FOLDING[rung] ?? {} })
      const receipt = receiptOf(await resumed.session.compact())
      expect(receipt.rung).toBe(rung)
      expect(receipt.restored.map(({ owner, what, status }) => `${owner}: ${what}, ${status}`)).toEqual(fold.restored)
      // A fold begins a cache of its own, so tools are told from then on as they are today.
      const body = await nextRequest(resumed)
      const recorded = recording.bodies[fold.next] ?? ''
      expect(toolsIn(body).map(({ name }) => name)).toEqual(toolsIn(recorded).map(({ name }) => name))
      expectRequest(withTools(body, toolsIn(recorded)), fold.next)
      await resumed.session.undo({ edit: receipt.undo, force: true })
      expectRequest(await nextRequest(resumed), expected.next)
    })

    it('has cost what it had cost, and is as large as it was', async () => {
      const { session } = await resume(recording)
      expect(await accountsOf(session)).toEqual(expected.accounts)
    })

    it.each<Rung>(RELIEFS[name] ?? [])(
      'with %o makes room like this: %o, and ends: %s',
      async (flags, reasons, end) => {
        const resumed = await resume(recording, { window: 44_000, answers: offline(), policy: 'balanced', flags })
        resumed.simulator.faults.add({ kind: 'too-long', source: 'main' })
        const ends: string[] = []
        for await (const event of resumed.session.query()) if (event.type === 'end') ends.push(event.reason)
        const edits = await editsSince(resumed, recording)
        expect(edits.map(({ reason }) => reason)).toEqual(reasons)
        expect(ends).toEqual([end])
      },
    )

    it.each<[Flags, string, string]>([
      [{}, 'found', 'Left out from the next request on'],
      [{ 'compact.recall': false }, "There is no tool 'Recall'", 'Left out from the next request on'],
      [{ 'compact.snip': false }, 'found', "There is no tool 'Snip'"],
      [{ compact: false }, "There is no tool 'Recall'", "There is no tool 'Snip'"],
    ])('with %o Recall says: %s, and Snip: %s', async (flags, recalled, snipped) => {
      const { session, log } = await resume(recording, { answers: callingBoth(), flags })
      for await (const _ of session.query());
      const blocks = (await log()).flatMap((entry) => (entry.kind === 'user' ? entry.content : []))
      const results = blocks.filter(({ type }) => type === 'tool_result').map(({ content }) => JSON.stringify(content))
      expect(results.slice(-2)).toEqual([expect.stringContaining(recalled), expect.stringContaining(snipped)])
    })

    it('has the commands of a layer only while that is on', async () => {
      const own = ['snip', 'receipt', 'receipts']
      const names = async (flags: Flags) =>
        (await resume(recording, { flags })).session
          .commands()
          .map(({ name }) => name)
          .filter((name) => own.includes(name))
      expect(await names({})).toEqual(own)
      expect(await names({ compact: false })).toEqual([])
      const { session } = await resume(recording, { flags: { 'compact.snip': false } })
      expect(await session.command('snip', 'list')).toBe('Snipping is switched off by the flag compact.snip.')
    })
  },
)

function unmarked(body: string): string {
  return JSON.stringify(JSON.parse(body), (key, value) => (key === 'cache_control' ? undefined : value))
}

function messagesIn(body: string): readonly unknown[] {
  return (JSON.parse(body) as { readonly messages: readonly unknown[] }).messages
}

type Tools = readonly { readonly name: string }[]

function toolsIn(body: string): Tools {
  return (JSON.parse(body) as { readonly tools: Tools }).tools
}

function withTools(body: string, tools: Tools): string {
  return JSON.stringify({ ...(JSON.parse(body) as object), tools })
}

function receiptOf(outcome: CompactOutcome): Receipt {
  if ('refused' in outcome) throw new Error(outcome.refused)
  return outcome.receipt
}

/** A model that looks something up, then takes a round out of its view, and is done. */
function callingBoth(): SimulatedModel {
  const calls = [
    { name: 'Recall', input: { query: 'turn 005 large' } },
    { name: 'Snip', input: { from: '[turn 046] bash', reason: 'It was of no use.' } },
  ]
  return ({ source }) => {
    const call = source === 'main' ? calls.shift() : undefined
    return call ? { type: 'tool_use', ...call } : 'Done.'
  }
}
