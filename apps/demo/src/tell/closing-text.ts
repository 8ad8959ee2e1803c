import type { Run, Told } from '../play/told.js'
import { drawChart } from './draw-chart.js'
import { count, money, percent } from './figures.js'
import { layerTable } from './layer-table.js'
import type { Paint } from './paint.js'
import { savings } from './savings.js'
import { table } from './table.js'
import { wrap } from './wrap.js'

/** What the story comes to: by layer, against the same work without them, and as a chart. */
export function closingText(told: Told, paint: Paint, width: number): string {
  const { story, without, large, byHand } = told
  const [plain] = large
  return `
${paint.bold('What each layer did')}
${layerTable(told.firings, paint)}

${paint.bold('The same work, with and without')}
${table(['', 'window', 'largest', 'requests', 'cost', 'end'], [without, ...large, story].map(runCells), paint)}

${savings(told)
  .map((line) => wrap(line, width))
  .join('\n')}

${paint.bold('Context over requests, in tokens')}
${drawChart(
  [
    ...(plain ? [{ mark: '·', name: `${plain.name}, window ${count(plain.window)}`, points: plain.points }] : []),
    { mark: '×', name: `${without.name}, window ${count(without.window)}: stops`, points: without.points },
    { mark: '●', name: `${story.name}, window ${count(story.window)}`, points: story.points },
  ],
  width,
)}

${wrap(`Checked by nacre verify: ${byHand.verified.requests}.`, width)}
`
}

function runCells({ name, window, peak, requests, dollars, hitRate, refusal }: Run): readonly string[] {
  const end = refusal ?? `done, ${percent(hitRate)} of the input from the cache`
  return [name, count(window), count(peak), count(requests), money(dollars), end]
}
