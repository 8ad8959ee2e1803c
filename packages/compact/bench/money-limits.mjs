import { bestBatch, bestRival } from './measure-money.mjs'
import { READ_SHARES } from './prices.mjs'

const FAILED = Number.POSITIVE_INFINITY
const ROUNDING = 1e-6
/**
 * What balanced may cost to the best of the others. A session that ends right after a cut has paid for nothing, and
 * nobody knows that before; seeded sessions end anywhere, so that more is allowed to them.
 */
const MOST = { recorded: 1.02, seeded: 1.1 }

/** What has to hold of the money. @param {import('./measure-money.mjs').Money} money @returns {import('./table.mjs').Limit[]} */
export function moneyLimits(money) {
  const of = (session, share, strategy) =>
    money.cells.find((cell) => cell.session === session && cell.share === share && cell.strategy === strategy)?.dollars
  const places = money.sessions.flatMap((session) => READ_SHARES.map((share) => ({ session, share })))
  const compared = places.map(({ session, share }) => {
    const [balanced, economy] = [of(session, share, 'balanced'), of(session, share, 'economy')]
    const [rival, batch] = [bestRival(money, session, share), bestBatch(money, session, share)]
    return {
      name: `${session}, read at ${share}×`,
      rival: ratio(balanced, rival?.dollars),
      economy: ratio(economy, balanced),
      batch: ratio(balanced, batch?.dollars),
      detail: `the best is ${rival?.strategy}`,
      batchDetail: `the best is ${batch?.strategy}`,
    }
  })
  const below = compared.filter(({ rival }) => rival < 1 - ROUNDING).length
  const pages = Math.ceil((places.length * 2) / 3)
  return [
    ...compared.map(({ name, rival, detail }) =>
      limit(`balanced to the best of the others: ${name}`, rival, MOST[money.origin], detail),
    ),
    {
      name: `of ${places.length}, balanced is below the best of the others in`,
      value: below,
      limit: pages,
      least: true,
    },
    ...compared.map(({ name, economy }) => limit(`economy to balanced: ${name}`, economy, 1 + ROUNDING)),
    ...compared.map(({ name, batch, batchDetail }) =>
      limit(`balanced to the best batch: ${name}`, batch, 1.05, batchDetail),
    ),
    limit('the two accounts of a replay differ at most by', accountsDiffer(money), 1e-6),
  ]
}

/** @returns {import('./table.mjs').Limit} */
function limit(name, value, most, detail = '') {
  return { name, value, limit: most, detail }
}

/** A policy that did not come to its end has failed; where nothing else did, it has no rival. */
function ratio(dollars, other) {
  if (dollars === undefined) return FAILED
  return other === undefined ? 0 : dollars / other
}

/** What the session and the server say that a replay has cost, at most apart, as a part of it. */
function accountsDiffer({ cells, batches }) {
  const replays = new Set([...cells, ...batches].map(({ replayed }) => replayed))
  return Math.max(...[...replays].map(({ dollars, tokens }) => Math.abs(dollars - tokens.billed) / tokens.billed))
}
