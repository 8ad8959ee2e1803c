// What a batch costs, by the formula and measured: node bench/plot.mjs [--out <file>] draws it, as in docs/economics.svg
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { batchCost, lowestBatch } from './plot/batch-cost.mjs'
import { draw } from './plot/draw.mjs'
import { replayUniform, uniformJob } from './plot/uniform-job.mjs'
import { dollarsOf, READ_SHARES } from './prices.mjs'
import { strategy } from './strategies.mjs'
import { holds, limitsTable, table } from './table.mjs'

const KEEP = 3
const BATCHES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 23, 26, 30, 35, 40]
const CENTS = 100

const { values } = parseArgs({ options: { out: { type: 'string' } } })

const job = uniformJob()
const turns = job.exchanges[0].answers.length
const replays = []
for (const batch of BATCHES) {
  replays.push({ batch, ...(await replayUniform(job, { ...strategy(`batch-${batch}`), share: READ_SHARES[0] })) })
}
const { base, tokens } = sizes(await replayUniform(job, { ...strategy('nothing'), share: READ_SHARES[0] }))

const [rows, limits] = [[], []]
const series = []
for (const share of READ_SHARES) {
  const at = (batch) => /** @type {const} */ ([batch, batchCost({ share, batch, keep: KEEP, tokens, base }) * CENTS])
  const lowest = lowestBatch({ share, keep: KEEP })
  const dots = replays.map((replayed) => [replayed.batch, (dollarsOf(replayed.tokens, share) / turns) * CENTS])
  const chosen = await chosenBatch(share)
  const line = Array.from({ length: 79 }, (_, index) => at(1 + index / 2))
  series.push({ label: `read at ${share}×`, line, dots, lowest: at(lowest), chosen })
  const [best] = dots.toSorted((a, b) => a[1] - b[1])
  rows.push([`${share}×`, lowest.toFixed(1), String(best[0]), chosen[0].toFixed(1)])
  limits.push({ name: `balanced to the best batch: read at ${share}×`, value: chosen[1] / best[1], limit: 1.05 })
}
const picture = draw({
  title: `What a batch costs: equal results of ${Math.round(tokens / 100) / 10}K tokens, ${KEEP} kept`,
  across: 'results cleared at once',
  up: 'cents a turn',
  series,
})
if (values.out !== undefined) writeFileSync(values.out, picture)
console.log('equal results, one a turn')
console.log(table([['read at', 'n* by formula', 'best by trying', 'chosen by balanced'], ...rows]))
console.log(`\n${limitsTable(limits)}`)
process.exitCode = limits.every(holds) ? 0 : 1

/** How many results the policy clears at once, on average, and what that costs. */
async function chosenBatch(share) {
  const { cuts, dollars } = await replayUniform(job, { ...strategy('balanced'), share })
  const edits = cuts.filter(({ edit }) => edit)
  const cleared = edits.reduce((sum, { edit }) => sum + edit.length, 0)
  return /** @type {const} */ ([edits.length === 0 ? 0 : cleared / edits.length, (dollars / turns) * CENTS])
}

/** Tokens that are always there, and those of a turn, by what the server counted. */
function sizes({ requests }) {
  const [first, ...rest] = requests.map(({ prompt }) => prompt)
  return { base: first, tokens: (rest.at(-1) - first) / rest.length }
}
