import { measureLargeRequests } from './large-requests.mjs'
import { measureLongRun } from './long-run.mjs'
import { measureSmallRequests } from './small-requests.mjs'

// Every number is a ratio of two times taken in the same run, so that it holds on any machine.
const measures = { small: measureSmallRequests, large: measureLargeRequests, long: measureLongRun }
const wanted = process.argv.slice(2)

const rows = []
for (const [name, measure] of Object.entries(measures)) {
  if (wanted.length === 0 || wanted.includes(name)) rows.push(...(await measure()))
}
const isOver = rows.some(({ ratio, limit }) => ratio > limit)

const width = Math.max(...rows.map(({ name }) => name.length))
process.stdout.write(`${'measured'.padEnd(width)}  ratio  limit        \n`)
for (const { name, ratio, limit, detail } of rows) {
  const verdict = ratio > limit ? 'over' : 'ok  '
  process.stdout.write(
    `${name.padEnd(width)}  ${ratio.toFixed(2).padStart(5)}  ${String(limit).padStart(5)}  ${verdict}  ${detail}\n`,
  )
}
process.exitCode = isOver ? 1 : 0
