import type { Run, Told } from '../play/told.js'
import { drawChart } from './draw-chart.js'
import { count, money, percent } from './figures.js'
import { layerTable } from './layer-table.js'
import type { Paint } from './paint.js'
import { savings } from './savings.js'
import { table } from './table.js'
import { wrap } from './wrap.js'

const HEADINGS = ['', 'window', 'largest', 'requests', 'cost', 'cached', 'end']

/** What the story comes to: by layer, against the same work without them, and as a chart. */
export function closingText(told: Told, paint: Paint, width: number): string {
  const { without, large, story, byHand } = told
  return `
${paint.bold('What each layer did in all')}
${layerTable(told.firings, paint, width)}

${paint.bold('The same work, with layers and without')}
${table(HEADINGS, [without, ...large, story].map(runCells), paint, width)}

${savings(told)
  .map((line) => wrap(line, width))
  .join('\n')}

${paint.bold('Tokens in each request')}
${chart(told, width)}

${wrap(`Requests that nacre verify rendered again from the log: ${byHand.verified.requests}.`, width)}
`
}

function chart({ large, without, story }: Told, width: number): string {
  const [plain] = large
  return drawChart(
    [
      ...(plain ? [{ mark: '·', name: `${plain.name}, window ${count(plain.window)}`, points: plain.points }] : []),
      { mark: '×', name: `${without.name}, window ${count(without.window)}: stops`, points: without.points },
      { mark: '●', name: `${story.name}, window ${count(story.window)}`, points: story.points },
    ],
    width,
    story.window,
  )
}

function runCells({ name, window, peak, requests, dollars, hitRate, refusal }: Run): readonly string[] {
  const end = refusal === undefined ? 'done' : 'refused'
  return [name, count(window), count(peak), count(requests), money(dollars), percent(hitRate), end]
}
