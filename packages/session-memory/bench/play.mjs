import { createSession, foldDraft, resolveModel } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { sessionMemory } from '@nacre/session-memory'
import { offline, startSimulator } from '@nacre/simulator'

const CALLS = 400
const WINDOW = 200_000
/** What a call brings in, and what a summary says: about 1,200 and 4,000 tokens. */
const RESULT = 'const total = items.reduce(sum, 0) // of the cart\n'.repeat(70)
const SUMMARY =
  'The user wants the cart fixed; the tests of the cart are green again, those of the login are not. '.repeat(180)

/**
 * Plays the session once and gives its bill.
 * @param {{ name: string, home: string, growth?: number }} options without growth: summaries alone
 */
export async function play({ name, home, growth }) {
  const simulator = await startSimulator({ model: worker(), details: { seed: 7 } })
  const info = resolveModel('claude-sonnet-4-6', { window: WINDOW })
  const model = anthropicModel({ model: info, apiKey: 'bench', baseURL: simulator.url })
  const notes = growth === undefined ? undefined : waitedFor(sessionMemory({ home, growth }))
  let ids = 0
  const session = await createSession({
    model,
    // Ids stand in what the model reads: the same ones cost the same.
    details: { effects: { newId: () => `id-${ids++}` } },
    system: 'You work on a shop.',
    plugins: [notes?.plugin ?? summaries],
    tools: [readFile(() => notes?.idle())],
  })
  /** @type {import('@nacre/core').Receipt[]} */
  const receipts = []
  session.events.on('receipt', ({ receipt }) => receipts.push(receipt))
  for await (const event of session.query(`Read ${CALLS} files.`)) {
    if (event.type === 'end' && event.reason !== 'done') throw event.error ?? new Error(event.reason)
  }
  await session.close()
  await simulator.close()
  return { name, receipts, ledger: simulator.ledger }
}

/** Calls a tool as often as it is asked to; sums up and takes notes where that is asked. @returns {import('@nacre/simulator').SimulatedModel} */
function worker() {
  const notes = offline()
  let calls = 0
  return (turn) => {
    if (turn.source === 'session_memory') return notes(turn)
    if (turn.source === 'compact') return SUMMARY
    calls += 1
    if (calls > CALLS) return 'All of them are read.'
    const path = `src/shop/part-${calls}.ts`
    return ['I read the next one.', { type: 'tool_use', id: `toolu_${calls}`, name: 'read_file', input: { path } }]
  }
}

/** The turn after a result begins when the notes are up to date: no session has more updates than this one. @param {() => Promise<void> | undefined} idle @returns {import('@nacre/core').Tool} */
function readFile(idle) {
  return {
    name: 'read_file',
    description: 'Reads a file.',
    schema: { json: { type: 'object', properties: { path: { type: 'string' } } }, parse: (input) => input },
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    async run() {
      await idle()
      return { content: [{ type: 'text', text: RESULT }] }
    },
  }
}

/** Full compaction and nothing else: a fork sums up all that came before the last round. @type {import('@nacre/core').Plugin} */
const summaries = {
  name: 'summaries',
  setup: () => ({
    reliefs: [
      {
        name: 'summaries',
        rung: 'summary',
        offer(view, { pressure }) {
          const rounds = view.rounds.slice(0, -1)
          const [first] = rounds
          const last = rounds.at(-1)
          if (pressure === 'idle' || !first || !last) return undefined
          const span = { from: first.span.from, to: last.span.to }
          const frees = rounds.reduce((sum, { tokens }) => sum + tokens, 0)
          return {
            span,
            frees,
            dollars: 0,
            async draft(plan) {
              const prompt = [{ type: 'text', text: 'Sum the conversation up, so that one can go on from there.' }]
              const asked = { source: 'compact', prompt, maxTurns: 1, extends: /** @type {const} */ ('view') }
              const { text, usage } = await plan.fork({ ...asked, allow: () => false, signal: plan.signal })
              return foldDraft(view, span, text, { spent: usage, trigger: plan.trigger })
            },
          }
        },
      },
    ],
  }),
}

/** A plugin whose background work can be waited for. @param {import('@nacre/core').Plugin<any>} plugin */
function waitedFor(plugin) {
  /** @type {Set<Promise<void>>} */
  const running = new Set()
  /** @param {import('@nacre/core').HookContext} context */
  const watch = (context) => ({
    ...context,
    /** @param {(signal: AbortSignal) => Promise<void>} work */
    defer: (work) =>
      context.defer((signal) => {
        const done = work(signal)
        running.add(done)
        return done.finally(() => running.delete(done))
      }),
  })
  return {
    plugin: {
      ...plugin,
      /** @param {import('@nacre/core').SetupContext} setup */
      async setup(setup) {
        const { hooks, ...rest } = await plugin.setup(setup)
        const heard = /** @type {import('@nacre/core').Handler<'PostModelCall'>} */ (hooks?.PostModelCall)
        return {
          ...rest,
          hooks: {
            ...hooks,
            /** @type {import('@nacre/core').Handler<'PostModelCall'>} */
            PostModelCall: (event, context) => heard(event, watch(context)),
          },
        }
      },
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
