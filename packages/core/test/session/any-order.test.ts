import { type ModelTurn, type SimulatedModel, stillClock } from '@nacre/simulator'
import { expect, it } from 'vitest'
import { isNacreError } from '../../src/errors.js'
import type { Session } from '../../src/session/types.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import type { SessionEvent } from '../../src/types/events.js'
import type { Entry, Id } from '../../src/types/log.js'
import type { Store } from '../../src/types/store.js'
import { endOf, unmarked } from '../faults/trial.js'
import { folding } from '../relief/folding.js'
import { illegalities } from '../view/oracle.js'
import { readFile, type Setup, setUp } from './setup.js'

/** Two calls first wherever the last prompt asks for them. */
const model: SimulatedModel = ({ messages }: ModelTurn) => {
  const last = JSON.stringify(messages.at(-1)?.content)
  const read = (path: string) => ({ type: 'tool_use' as const, name: 'read_file', input: { path } })
  return last.includes('with calls') && !last.includes('tool_result') ? [read('a.ts'), read('b.ts')] : 'Done.'
}

const SPEND_CAP = 429

interface Walk {
  readonly setup: Setup
  readonly store: Store
  readonly random: () => number
  session: Session
  /** Prompts that nobody has answered and nothing has taken back since. */
  open: string[]
  /** Prompts that a clear has taken out of the view. */
  cleared: readonly string[]
  undone: Id | undefined
  next: number
}

/** None begins as another does. */
const nameOf = (number: number) => `prompt-${100 + number}`

type Operation = (walk: Walk) => Promise<void>

/** What the session refuses with a reason is no mistake of the one who asks at random. */
async function unlessRefused<Result>(work: Promise<Result>): Promise<Result | undefined> {
  return work.catch((error: unknown) => {
    if (isNacreError(error, 'EDIT_REFUSED') || isNacreError(error, 'NOT_FOUND')) return undefined
    throw error
  })
}

/** Asks, and stops at that event, where one is given. The first request has what was said, each thing once. */
async function ask(walk: Walk, stopAt?: number): Promise<void> {
  const { session, setup, open } = walk
  const prompt = `${nameOf(walk.next++)}${walk.random() < 0.5 ? ' with calls' : ''}.`
  const from = setup.exchanges.length
  const controller = new AbortController()
  const events: SessionEvent[] = []
  let isAccepted = false
  for await (const event of session.query(prompt, { signal: controller.signal })) {
    // What is asked of the model was said before.
    isAccepted ||= event.type === 'turn-start'
    if (events.push(event) === stopAt) controller.abort()
  }
  const sent = setup.exchanges.slice(from)
  for (const { body, status } of sent) {
    expect(illegalities(unmarked(body).messages)).toEqual([])
    expect([200, SPEND_CAP]).toContain(status)
    for (const said of [...open, prompt]) expect([said, body.split(said).length - 1]).toEqual([said, 1])
    expect(walk.cleared.filter((said) => body.includes(said))).toEqual([])
  }
  const { reason } = endOf(events)
  walk.open = reason === 'done' ? [] : [...open, ...(isAccepted ? [prompt] : [])]
}

async function entriesOf(session: Session): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of (await session.inspect()).entries()) entries.push(entry)
  return entries
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  ok: (walk) => ask(walk),
  async error(walk) {
    walk.setup.simulator.faults.add({ kind: 'spend-cap' })
    await ask(walk)
    walk.setup.simulator.faults.clear()
  },
  aborted: (walk) => ask(walk, 1 + Math.floor(walk.random() * 12)),
  async clear(walk) {
    await walk.session.clear()
    walk.open = []
    walk.cleared = Array.from({ length: walk.next }, (_, index) => nameOf(index))
  },
  async rewind(walk) {
    const prompts = (await entriesOf(walk.session)).filter(({ kind }) => kind === 'user')
    const to = prompts[Math.floor(walk.random() * prompts.length)]
    // Back to before a clear, what it took out is there again.
    if (to) await unlessRefused(walk.session.rewind(to.id))
    walk.open = []
    walk.cleared = []
  },
  async undo(walk) {
    walk.undone = (await unlessRefused(walk.session.undo()))?.id
    walk.open = []
    walk.cleared = []
  },
  async redo(walk) {
    if (walk.undone) await unlessRefused(walk.session.undo({ edit: walk.undone }))
    walk.undone = undefined
    walk.open = []
    walk.cleared = []
  },
  async compact(walk) {
    await walk.session.compact()
  },
  async resume(walk) {
    const { id } = walk.session
    await walk.session.close()
    walk.session = await walk.setup.start({ store: walk.store, plugins: [folding], open: { resume: id } })
  },
  async fork(walk) {
    const forked = await walk.session.fork()
    await walk.session.close()
    walk.session = forked
  },
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

it('sends what is said once, and nothing that the API refuses, after anything in any order', async () => {
  const setup = await setUp(model, { clock: stillClock() })
  const names = Object.keys(OPERATIONS)
  for (let seed = 1; seed <= 24; seed++) {
    const random = seeded(seed * 7919)
    const store = memoryStore()
    const session = await setup.start({ store, plugins: [folding], tools: [readFile] })
    const walk: Walk = { setup, store, random, session, open: [], cleared: [], undone: undefined, next: 0 }
    const done: string[] = []
    for (let step = 0; step < 14; step++) {
      const name = names[Math.floor(random() * names.length)] as string
      done.push(name)
      try {
        await OPERATIONS[name]?.(walk)
      } catch (error) {
        throw new Error(`seed ${seed}, ${done.join(', ')}: ${String(error)}`, { cause: error })
      }
    }
    await OPERATIONS.ok?.(walk)
    await walk.session.close()
  }
})

/** A log in which a prompt joined the round that a clear had taken out of the view: so earlier versions read it. */
const SWALLOWED: readonly Entry[] = [
  { kind: 'user', id: 'first', time: 1, content: [{ type: 'text', text: 'Never answered.' }] },
  {
    kind: 'edit',
    id: 'cleared',
    time: 2,
    owner: 'user',
    reason: 'clear',
    changes: [{ kind: 'drop', span: { from: 'first', to: 'first' }, epoch: { system: [], tools: [] } }],
    price: { freed: 1, dollars: 0, breaksAt: 0, thinkingLost: 0 },
  },
  { kind: 'user', id: 'second', time: 3, content: [{ type: 'text', text: 'Swallowed.' }] },
]

it('shows the prompts that an earlier version had swallowed, and leaves the log as it is', async () => {
  const setup = await setUp(model, { clock: stillClock() })
  const store = memoryStore()
  const held = await store.open('old', new AbortController().signal)
  await held.append(SWALLOWED)
  await held.close()
  const session = await setup.start({ store, tools: [], open: { resume: 'old' } })
  for await (const _ of session.query('And now?'));
  const { messages } = unmarked(setup.bodies[0])
  const texts = ['Swallowed.', 'And now?'].map((text) => ({ type: 'text', text }))
  expect(messages).toEqual([{ role: 'user', content: texts }])
  expect((await entriesOf(session)).slice(0, SWALLOWED.length)).toEqual(SWALLOWED)
})
