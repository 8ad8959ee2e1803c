import { count, layerCells, money, percent, savings } from '../outcome/figures.js'
import { type Firing, type Live, layerWords, type Outcome, type Run } from '../outcome/outcome.js'
import { drawChart, type Paint, table, wrap } from './terminal.js'

/** What the story is about and how to read it, before it begins. */
export function openingText(window: number, paint: Paint, width: number): string {
  const about = [
    `Nacre keeps a long conversation within what a model can take in at once, its window. Here that is ${count(window)} tokens, and the work needs more than twice as much.`,
    'An agent looks for a bug in a small shop, which takes coupons and does not take them off the price. Tools, files and tests are real. The model is offline and follows a script; a server on this machine counts and bills as the Messages API does. It needs no key, and nothing leaves this machine.',
  ]
  const signs = [
    '❯ what a person types',
    '· tools that the agent calls',
    '◆ a layer of Nacre at work: what it does, then why',
  ]
  return [
    '',
    paint.bold('Nacre, in one story'),
    ...about.map((text) => wrap(text, width)),
    '',
    ...signs.map((line) => paint.dim(wrap(line, width - 2, '  '))),
    '',
  ].join('\n')
}

const HEADINGS = ['', 'window', 'largest', 'requests', 'cost', 'cached', 'end']

/** What the story comes to: by layer, against the same work without them, and as a chart. */
export function closingText(outcome: Outcome, paint: Paint, width: number): string {
  const { without, large, story, byHand } = outcome
  return `
${paint.bold('What each layer did in all')}
${layerTable(outcome.firings, paint, width)}

${paint.bold('The same work, with layers and without')}
${table(HEADINGS, [without, ...large, story].map(runCells), paint, width)}

${savings(outcome)
  .map((line) => wrap(line, width))
  .join('\n')}

${paint.bold('Tokens in each request')}
${chart(outcome, width)}

${wrap(`Requests that nacre verify rendered again from the log: ${byHand.verified.requests}.`, width)}
`
}

function chart({ large, without, story }: Outcome, width: number): string {
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

/** What came of the work with a real model. */
export function liveText(live: Live, paint: Paint, width: number): string {
  const { model, firings, requests, dollars, hitRate, refusal, isFixed } = live
  const layers = firings.length === 0 ? 'No layer fired.' : layerTable(firings, paint, width)
  const end = refusal === undefined ? 'It came to its end.' : `It stopped: ${refusal}`
  const figures = `${count(requests)} requests, ${money(dollars)}, ${percent(hitRate)} of the input from the cache.`
  return `
${paint.bold(`What each layer did with ${model}`)}
${layers}

${wrap(`${figures} ${end}`, width)}
The tests of the shop ${isFixed ? 'pass' : 'still fail'}.
`
}

/** What each layer did, for a terminal. */
function layerTable(firings: readonly Firing[], paint: Paint, width: number): string {
  const rows = layerCells(firings).map(({ layer, cells }) => [
    ...cells,
    layerWords[layer].package.replace('@nacre/', ''),
  ])
  return table(['layer', 'fired', 'tokens freed', 'it cost', 'calls avoided', 'package'], rows, paint, width)
}
