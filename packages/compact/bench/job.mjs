// What a long job costs, and what is still known at its end: node bench/job.mjs
import { measureJob } from './job/measure-job.mjs'
import { holds, limitsTable, table } from './table.mjs'

const NAMES = {
  nothing: '(a) nothing',
  'every-chance': '(b) clear at every chance',
  late: '(c) fold at 167K only',
  fidelity: '(d) fidelity',
  balanced: '(d) balanced',
  economy: '(d) economy',
}

const measured = new Map()
for (const strategy of Object.keys(NAMES)) measured.set(strategy, await measureJob(strategy))
const unlimited = await measureJob('nothing', { window: 1_000_000 })

const late = measured.get('late')
const [calls, header] = [60, ['', 'dollars', 'of (c)', 'summaries', 'cache hit', 'peak', 'in view', 'by Recall']]
const rows = [...measured].map(([strategy, row]) => [NAMES[strategy], ...cells(row)])
console.log(`${calls} calls with long results, one fact in each, read at 0.1×`)
console.log(table([header, ...rows, ['(a) without a limit of the window', ...cells(unlimited)]]))

const limits = ['balanced', 'economy'].map((strategy) => {
  const { dollars, isWhole } = measured.get(strategy)
  const limit = strategy === 'economy' ? 0.65 : 0.85
  return { name: `${strategy} to (c)`, value: isWhole ? dollars / late.dollars : Number.POSITIVE_INFINITY, limit }
})
limits.push(
  { name: 'facts in view with balanced', value: measured.get('balanced').inView, limit: 57, least: true },
  { name: 'facts by Recall with economy', value: measured.get('economy').recalled, limit: calls, least: true },
)
console.log(`\n${limitsTable(limits)}`)
process.exitCode = limits.every(holds) ? 0 : 1

function cells({ isWhole, dollars, summaries, tokens, peak, inView, recalled }) {
  if (!isWhole) return ['–', '–', '–', '–', `${Math.round(peak / 1000)}K`, '–', '–']
  const hit = `${(100 * tokens.hitRate).toFixed(1)}%`
  const ratio = (dollars / late.dollars).toFixed(2)
  return [
    dollars.toFixed(2),
    ratio,
    String(summaries.requests),
    hit,
    `${Math.round(peak / 1000)}K`,
    String(inView),
    String(recalled),
  ]
}
