import { createSession, resolveModel } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { startSimulator } from '@nacre/simulator'
import { pricesAt } from './prices.mjs'
import { seeded } from './sessions/random.mjs'

const LIKE = 'claude-sonnet-4-6'
const MODEL = 'bench'
/** Tools whose old results may go, by what recordings call them; the others hold what was agreed on, or nothing to speak of. */
const COMPACTABLE = /^(read|bash|bashoutput|taskoutput|grep|glob|edit|multiedit|write|webfetch|websearch|ls|work)$/i

/**
 * @typedef {import('./sessions/exchanges.mjs').Session} Session
 * @typedef {{
 *   share: number,
 *   plugins?: import('@nacre/core').PluginList,
 *   flags?: Readonly<Record<string, boolean>>,
 *   window?: number,
 *   system?: string,
 *   summarize: (turn: import('@nacre/simulator').ModelTurn) => string,
 *   atEnd?: (end: ReplayEnd) => unknown,
 * }} ReplayOptions
 * @typedef {{ session: import('@nacre/core').Session, answer(...answers: object[][]): void, lastBody: string }} ReplayEnd
 * @typedef {Awaited<ReturnType<typeof replay>>} Replayed
 */

/**
 * Plays a session over the socket with the real SDK, and tells what it cost by both accounts, the session's own and the
 * server's. Nothing of a replay depends on time.
 * @param {Session} recording
 * @param {ReplayOptions} options
 */
export async function replay(recording, options) {
  const { share, window = 200_000, plugins = [], flags = {}, system = 'You work.' } = options
  const answers = recording.exchanges.flatMap((exchange) => exchange.answers)
  const player = play(answers, options.summarize)
  const prices = [{ upTo: Number.POSITIVE_INFINITY, ...pricesAt(share) }]
  const simulator = await startSimulator({ model: player.model, models: [{ id: MODEL, like: LIKE, window, prices }] })
  const info = { ...resolveModel(MODEL, { like: LIKE, window }), price: () => pricesAt(share) }
  const session = await createSession({
    model: anthropicModel({ model: info, apiKey: 'bench', baseURL: simulator.url }),
    plugins,
    flags,
    system,
    tools: toolsOf(recording),
    details: { effects: { wait: () => undefined, newId: ids() } },
  })
  const { seen, lastBody } = watch(session, simulator)
  try {
    let end
    for (const { prompt } of recording.exchanges) {
      for await (const event of session.query(prompt)) if (event.type === 'end') end = event
      if (end?.reason !== 'done') break
    }
    const own = session.cost()
    const ledger = simulator.ledger.totals()
    const summaries = sumOf(
      simulator.ledger.sources().filter((source) => source !== 'main'),
      simulator,
    )
    return {
      /** Whether every answer of the recording was given. */
      isWhole: end?.reason === 'done' && player.given() === answers.length,
      why: end?.reason === 'done' ? '' : `${end?.reason}: ${end?.error?.message ?? ''}`,
      dollars: own.dollars,
      /** By the server's account. */
      tokens: { ...ledger, billed: ledger.dollars },
      summaries,
      ...seen,
      atEnd: await options.atEnd?.({ session, answer: player.answer, lastBody: lastBody() }),
    }
  } finally {
    await session.close()
    await simulator.close()
  }
}

/** Ids as long as real ones, and the same in every replay: they stand in what is sent. */
function ids() {
  const random = seeded(17)
  const part = (length) => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
  return () => [8, 4, 4, 4, 12].map(part).join('-')
}

/** What happened on the way: the largest prompt, what was cut when and what the judge said to it. */
function watch(session, simulator) {
  const seen = { peak: 0, requests: /** @type {any[]} */ ([]), cuts: /** @type {any[]} */ ([]), declined: 0 }
  let last = ''
  simulator.observe(({ entry, body }) => {
    if (entry.source === 'main') last = body
    const prompt = entry.read + entry.write5m + entry.write1h + entry.input
    seen.requests.push({ source: entry.source, prompt, read: entry.read, written: entry.write5m, status: entry.status })
    if (entry.source === 'main' && entry.status === 200) seen.peak = Math.max(seen.peak, prompt)
  })
  session.events.on('relief', ({ decision }) => {
    if (decision.verdict === 'declined') seen.declined += 1
    else seen.cuts.push({ at: seen.requests.length, ...decision })
  })
  session.events.on('edit', ({ edit }) => {
    const { owner, price, changes } = edit
    seen.cuts.push({ at: seen.requests.length, owner, edit: changes.map(({ kind }) => kind), price })
  })
  return { seen, lastBody: () => last }
}

/** Answers in the order of the recording; whoever asks beside the conversation gets a summary. */
function play(recorded, summarize) {
  const answers = [...recorded]
  let next = 0
  /** @type {string | undefined} */
  let last
  /** @type {import('@nacre/simulator').SimulatedModel} */
  const model = (turn) => {
    if (turn.source !== 'main' || turn.purpose === 'compaction') return summarize(turn)
    // The same prompt again is a retry, and gets the same answer.
    if (turn.key !== last) next += 1
    last = turn.key
    return { content: answers[next - 1] ?? [{ type: 'text', text: 'The recording is over.' }] }
  }
  return { model, given: () => next, answer: (...more) => answers.push(...more) }
}

/** A tool for each that the recording calls; it gives what the recording has. @param {Session} recording */
function toolsOf({ exchanges, results }) {
  const calls = exchanges.flatMap(({ answers }) => answers.flat()).filter(({ type }) => type === 'tool_use')
  const names = [...new Set(calls.map(({ name }) => String(name)))]
  return names.map((name) => ({
    name,
    description: `${name}, as recorded.`,
    schema: { json: { type: 'object' }, parse: (input) => input },
    isCompactable: COMPACTABLE.test(name),
    isReadOnly: () => false,
    isConcurrencySafe: () => true,
    run: (_input, { callId }) => {
      const { content, isError } = results.get(callId) ?? { content: '', isError: true }
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
      const said = blocks.filter(({ type, text }) => type !== 'text' || text !== '')
      const shown = said.length > 0 ? said : [{ type: 'text', text: '(no output)' }]
      return { content: shown, ...(isError && { isError: /** @type {const} */ (true) }) }
    },
  }))
}

function sumOf(sources, { ledger }) {
  const all = sources.map((source) => ledger.totals(source))
  const sum = (name) => all.reduce((total, each) => total + each[name], 0)
  const prompt = sum('read') + sum('write5m') + sum('write1h') + sum('input')
  return { requests: sum('requests'), dollars: sum('dollars'), hitRate: prompt === 0 ? 0 : sum('read') / prompt }
}
