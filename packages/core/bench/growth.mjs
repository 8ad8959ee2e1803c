import { createConversation, createSession, estimateBlock, memoryStore } from '@nacre/core'
import { cpu, entries, median, silentModel, text } from './support.mjs'

const VIEW = 1_000
const LONG = 100_000
const TURNS = 60
const ROUNDS = 5
const FREE = { freed: 0, dollars: 0, breaksAt: null, thinkingLost: 0 }

/** The cost of a turn must not grow with the log, nor that of an append with the view. @returns {Promise<import('./support.mjs').Row[]>} */
export async function measureGrowth() {
  return [await turns(), await appends()]
}

async function turns() {
  const [short, long] = [await sessionOn(VIEW), await sessionOn(LONG)]
  const ratios = []
  const costs = []
  await runTurns(short)
  await runTurns(long)
  for (let round = 0; round < ROUNDS; round++) {
    const base = await cpu(() => runTurns(short))
    const grown = await cpu(() => runTurns(long))
    ratios.push(grown / base)
    costs.push(grown / TURNS)
  }
  return {
    name: `a turn with ${VIEW} messages in view, a log of ${LONG} against one of ${VIEW}`,
    ratio: median(ratios),
    limit: 1.3,
    detail: `${(median(costs) / 1000).toFixed(2)} ms of processor time a turn`,
  }
}

/** A session on a log of so many messages, all but the last thousand of them folded. @param {number} count */
async function sessionOn(count) {
  const store = memoryStore()
  const log = await store.open('bench', new AbortController().signal)
  await log.append(entries(count))
  if (count > VIEW) {
    const span = { from: 'e0', to: `e${count - VIEW - 1}` }
    const fold = { kind: 'fold', span, content: text('All that came before.') }
    await log.append([
      { kind: 'edit', id: 'fold', time: 0, owner: 'bench', reason: 'bench', changes: [fold], price: FREE },
    ])
  }
  await log.close()
  return createSession({ model: silentModel(), store, open: { resume: 'bench' } })
}

/** @param {import('@nacre/core').Session} session */
async function runTurns(session) {
  for (let turn = 0; turn < TURNS; turn++) {
    for await (const event of session.query('Go on.')) if (event.type === 'end' && event.error) throw event.error
  }
  // As many messages in view as before.
  const rounds = session.view().rounds
  await session.rewind(rounds[rounds.length - TURNS].span.from)
}

async function appends() {
  const [small, large] = [await conversationOf(VIEW), await conversationOf(LONG)]
  const ratios = []
  for (let round = 0; round <= ROUNDS; round++) {
    const base = await cpu(() => append(small))
    const grown = await cpu(() => append(large))
    if (round > 0) ratios.push(grown / base)
  }
  return {
    name: `appending and rendering at ${LONG} messages in view against ${VIEW}`,
    ratio: median(ratios),
    limit: 1.3,
    detail: 'prefix and tokens of the request, without sending it',
  }
}

/** @param {number} count */
async function conversationOf(count) {
  const store = await memoryStore().open('bench', new AbortController().signal)
  let number = 0
  const conversation = createConversation({
    store,
    rules: { isBound: true, hasSystemRole: true, reads: () => true, estimate: estimateBlock },
    epoch: { system: [], tools: [] },
    writePrice: () => 1,
    now: () => 0,
    newId: () => `n${++number}`,
  })
  for (const entry of entries(count)) conversation.restore(entry)
  conversation.rendering()
  return conversation
}

/** @param {import('@nacre/core').Conversation} conversation */
async function append(conversation) {
  for (const entry of entries(2_000)) {
    await conversation.append(entry)
    conversation.rendering()
  }
}
