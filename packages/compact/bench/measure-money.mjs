import { runEverywhere, runHere, sessionsFrom } from './jobs.mjs'
import { dollarsOf, READ_SHARES } from './prices.mjs'
import { POLICIES } from './strategies.mjs'

/**
 * What each strategy costs on each session and at each price; no dollars where a session did not fit or was not played
 * to its end.
 * @typedef {{ session: string, share: number, strategy: string, dollars: number | undefined, replayed: any }} Cell
 * @typedef {{ sessions: string[], origin: 'recorded' | 'seeded', cells: Cell[], batches: Cell[] }} Money
 */

const RIVALS = /** @type {const} */ (['nothing', 'every-chance', 'late'])
const LARGEST_BATCH = 40
/** On a session with more answers, batches are tried in steps: near the best one the cost hardly changes. */
const [MANY, STEP] = [200, 4]

/**
 * Replays every session with every strategy. What does not look at prices is replayed once, and priced for the others.
 * `turns` makes seeded sessions of so many calls, for a quick look.
 * @param {{ folder?: string, turns?: number, largestBatch?: number }} [options]
 * @returns {Promise<Money>}
 */
export async function measureMoney({ folder, turns, largestBatch = LARGEST_BATCH } = {}) {
  const source = { ...(folder !== undefined && { folder }), ...(turns !== undefined && { turns }) }
  const sessions = sessionsFrom(source)
  const jobs = sessions.flatMap((_, session) => [
    ...[...RIVALS, ...batchesFor(sessions[session], largestBatch)].map((strategy) => ({
      session,
      strategy,
      share: READ_SHARES[0],
    })),
    ...POLICIES.flatMap((strategy) => READ_SHARES.map((share) => ({ session, strategy, share }))),
  ])
  // The long ones first, so that no processor is left with one at the end.
  const longest = jobs.toSorted((a, b) => length(sessions[b.session]) - length(sessions[a.session]))
  const run = turns === undefined ? runEverywhere : runHere
  const replays = await run(source, longest)
  const cells = replays.flatMap((replayed) => priced(sessions[replayed.session].name, replayed))
  return {
    sessions: sessions.map(({ name }) => name),
    origin: sessions[0].origin,
    cells: cells.filter((cell) => !isBatch(cell)),
    batches: cells.filter(isBatch),
  }
}

/** @returns {string[]} */
function batchesFor(session, largest) {
  const step = length(session) > MANY ? STEP : 1
  return Array.from({ length: Math.ceil(largest / step) }, (_, index) => `batch-${1 + index * step}`)
}

function isBatch({ strategy }) {
  return strategy.startsWith('batch-')
}

function length({ exchanges }) {
  return exchanges.flatMap(({ answers }) => answers).length
}

/** @returns {Cell[]} */
function priced(session, replayed) {
  const { strategy, isWhole, share, dollars, tokens } = replayed
  const cell = (at, sum) => ({ session, share: at, strategy, dollars: isWhole ? sum : undefined, replayed })
  if (POLICIES.includes(strategy)) return [cell(share, dollars)]
  return READ_SHARES.map((at) => cell(at, at === share ? dollars : dollarsOf(tokens, at)))
}

/** The cheapest of those that need no plugin of ours to think. @param {Money} money */
export function bestRival({ cells }, session, share) {
  const rivals = cells.filter(
    (cell) => cell.session === session && cell.share === share && RIVALS.includes(cell.strategy),
  )
  return cheapest(rivals)
}

/** The cheapest of all fixed batches, by trying them. @param {Money} money */
export function bestBatch({ batches }, session, share) {
  return cheapest(batches.filter((cell) => cell.session === session && cell.share === share))
}

/** @param {readonly Cell[]} cells */
function cheapest(cells) {
  return cells.filter(({ dollars }) => dollars !== undefined).sort((a, b) => Number(a.dollars) - Number(b.dollars))[0]
}
