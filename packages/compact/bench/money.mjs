// What sessions cost: node bench/money.mjs [--data <folder>] [--quick] [--largest <batch>] [--cuts], or NACRE_TRANSCRIPTS=<folder>
import { parseArgs } from 'node:util'
import { bestRival, measureMoney } from './measure-money.mjs'
import { moneyLimits } from './money-limits.mjs'
import { READ_SHARES } from './prices.mjs'
import { holds, limitsTable, table } from './table.mjs'

const NAMES = {
  nothing: '(a) nothing',
  'every-chance': '(b) clear at every chance',
  late: '(c) fold at 167K only',
  fidelity: '(d) fidelity',
  balanced: '(d) balanced',
  economy: '(d) economy',
}

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    quick: { type: 'boolean' },
    largest: { type: 'string' },
    cuts: { type: 'boolean' },
  },
})
const folder = values.data ?? process.env.NACRE_TRANSCRIPTS
const money = await measureMoney(
  values.quick
    ? { turns: 12, largestBatch: 4 }
    : { folder, ...(values.largest && { largestBatch: Number(values.largest) }) },
)
if (money.origin === 'seeded') {
  console.log('No recorded sessions: name a folder by NACRE_TRANSCRIPTS. These are seeded ones of the same shapes.')
}
for (const session of money.sessions) console.log(`\n${sessionTable(session)}`)
const limits = moneyLimits(money)
console.log(`\n${limitsTable(limits)}`)
if (values.cuts) for (const cell of money.cells) console.log(`\n${cutsOf(cell)}`)
// A few turns are too few for what is decided here to matter.
process.exitCode = values.quick || limits.every(holds) ? 0 : 1

/** @param {string} session */
function sessionTable(session) {
  const rows = Object.entries(NAMES).map(([strategy, name]) => {
    const cells = READ_SHARES.map((share) => cellOf(session, share, strategy))
    const { replayed } = cells[0]
    const dollars = cells.map(({ dollars: sum, share }) =>
      sum === undefined ? '–' : `${sum.toFixed(2)} ${against(session, share, sum)}`,
    )
    const cuts = replayed.cuts.filter(({ edit }) => edit).length
    return [name, ...dollars, String(cuts), String(replayed.summaries.requests), thousands(replayed.peak)]
  })
  const reads = READ_SHARES.map((share) => `read at ${share}×`)
  return table([[`${session}, dollars (of the best of a–c)`, ...reads, 'edits', 'summaries', 'peak'], ...rows])
}

function cellOf(session, share, strategy) {
  return money.cells.find((cell) => cell.session === session && cell.share === share && cell.strategy === strategy)
}

function against(session, share, dollars) {
  return `(${(dollars / bestRival(money, session, share).dollars).toFixed(2)})`
}

function thousands(tokens) {
  return `${Math.round(tokens / 1000)}K`
}

/** Every cut of a replay: when, what the judge reckoned, what it came to. */
function cutsOf({ session, share, strategy, replayed }) {
  const lines = replayed.cuts.map(({ at, verdict, reason, rung, figures, edit, price }) =>
    edit
      ? `  ${at}: ${edit.length} × ${edit[0]}, freed ${price.freed}, breaks at ${price.breaksAt}, $${price.dollars.toFixed(4)}`
      : `  ${at}: ${rung} ${verdict}: ${reason} ${figures ? JSON.stringify(figures) : ''}`,
  )
  return [`${session}, ${strategy} at ${share}× ${replayed.why}: ${replayed.declined} declined`, ...lines].join('\n')
}
