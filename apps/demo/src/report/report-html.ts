import { receiptInFull } from '@nacre/compact'
import { causeOf, count, layerCells, money, percent, savings } from '../outcome/figures.js'
import { type AgentBill, type AgentsAtWork, LAYERS, layerWords, type Outcome, type Run } from '../outcome/outcome.js'
import { charts } from './charts.js'
import { style } from './style.js'

/** The demo as one page that needs no network. `script` draws the charts in it. */
export function reportHtml(outcome: Outcome, script: string): string {
  const { story, without, large, firings, byHand, memory, model } = outcome
  const [plain] = large
  const full = firings.find(({ layer }) => layer === 'full')?.receipt
  return `<!doctype html>
<!-- Charts: Observable Plot and D3, ISC license. -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Nacre, in one story</title>
<style>${style}</style>
</head>
<body>
<h1>Nacre, in one story</h1>
<p>An agent fixes a bug in a small shop, with real tools, real files and real tests, on a window of ${count(story.window)} tokens: all that the model can take in at once. The work needs more than twice as much. So the layers of Nacre change what the model sees, while the log of the conversation keeps everything. The model is offline and follows a script; the server counts and bills as the API does for ${escapeHtml(model)}. The tokens of requests and the dollars of runs are from the bills of this run; what a layer freed and cost is what Nacre itself counted.</p>
<ul class="figures">
${figure(count(story.requests), 'requests of the conversation')}
${figure(count(story.peak), `tokens in the largest; ${count(plain?.peak ?? 0)} without layers`)}
${figure(percent(story.hitRate), 'of the input read from the cache')}
${figure(money(story.dollars), `in all; ${money(plain?.dollars ?? 0)} without layers in a window of ${count(plain?.window ?? 0)}`)}
</ul>
<h2>Context over requests</h2>
<figure>${legend(outcome)}<div id="context-chart"></div>
<figcaption>A dot is where a layer fired; point at one to read what it did. Without layers the small window is too small for request ${without.requests + 1}, which Nacre does not send.</figcaption></figure>
<h2>The bill so far</h2>
<figure><div id="dollars-chart"></div><figcaption>The lines are those above. What was asked beside the conversation is in it: ${money(story.beside)} for notes.</figcaption></figure>
<h2>What each layer did in all</h2>
${layerTable(outcome)}
<h2>The same work, with layers and without</h2>
${htmlTable(['', 'window', 'largest', 'requests', 'cost', 'from the cache', 'end'], [without, ...large, story].map(runCells))}
${savings(outcome)
  .map((line) => `<p>${escapeHtml(line)}</p>`)
  .join('\n')}
<h2>Agents</h2>
${agentsPart(outcome.agents)}
<h2>The receipt of the full compaction</h2>
<pre>${escapeHtml(full ? receiptInFull(full) : '')}</pre>
<h2>What happened, in order</h2>
${htmlTable(
  ['layer', 'request', 'what it did'],
  firings.map(({ layer, request, text }) => [layerWords[layer].name, count(request), text]),
)}
<p>After the undo the next request said all that was said before it, to the byte: <strong>${byHand.isUndone ? 'yes' : 'no'}</strong>. What ${byHand.killed.same} of ${byHand.killed.sent} requests said before the kill was said again after it, to the byte. Requests that <code>nacre verify</code> rendered again from the log: ${escapeHtml(byHand.verified.requests)}.</p>
<p>Of ${memory.dream.facts} facts in long-term memory, ${memory.dream.kept} were in use or in the archive after the dream, word for word; of ${memory.undo.files} files, ${memory.undo.same} were the same bytes again after its undo.</p>
<script type="application/json" id="charts">${JSON.stringify(charts(outcome)).replaceAll('<', '\\u003c')}</script>
<script>${script.replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`
}

function figure(value: string, words: string): string {
  return `<li><strong>${escapeHtml(value)}</strong>${escapeHtml(words)}</li>`
}

function legend(outcome: Outcome): string {
  const lines = charts(outcome)[0]?.lines.map(({ name, colour }) => key('line', `--${colour}`, name)) ?? []
  const shown = LAYERS.filter((layer) =>
    outcome.firings.some((firing) => firing.layer === layer && firing.request <= outcome.story.requests),
  )
  const dots = shown
    .filter((layer) => layer !== 'undone')
    .map((layer) => key('dot', `--layer-${layer}`, layerWords[layer].name))
  return `<ul class="key">${lines.join('')}</ul><ul class="key">${dots.join('')}</ul>`
}

function key(shape: 'line' | 'dot', colour: string, name: string): string {
  return `<li><i class="${shape}" style="background: var(${colour})"></i>${escapeHtml(name)}</li>`
}

function layerTable({ firings }: Outcome): string {
  const rows = layerCells(firings).map(({ layer, cells }) => [
    ...cells,
    `${layerWords[layer].why} (${layerWords[layer].package})`,
  ])
  return htmlTable(['layer', 'fired', 'tokens freed', 'it cost', 'calls avoided', 'why it is there'], rows)
}

function runCells({ name, window, peak, requests, dollars, hitRate, refusal }: Run): readonly string[] {
  const end = refusal === undefined ? 'done' : causeOf(refusal)
  return [name, count(window), count(peak), count(requests), money(dollars), percent(hitRate), end]
}

/** What agents were billed, and what came of each. */
function agentsPart({ forks, message, late, followed }: AgentsAtWork): string {
  const row = ({ name, read, written, input, dollars }: AgentBill, words: string) => {
    return [name, count(read), count(written), count(input), money(dollars), words]
  }
  const rows = [
    ...forks.map((bill) => row(bill, 'A fork: it was started at once with the other one, from the same conversation.')),
    row(late.bill, late.result),
    row(followed.bill, followed.result),
  ]
  const words = `The forks share what they know: what one of them writes to the cache the other one reads. ${followed.bill.name} was written to while it ran, had the message in its request ${message.heardAt} and wrote back: "${message.reply}" It ran on while the conversation was compacted; the next request named it as running, it was started ${followed.starts === 1 ? 'once' : `${followed.starts} times`}, and its result was read afterwards.`
  return `${htmlTable(['agent', 'read', 'written', 'neither', 'cost', 'what came of it'], rows)}\n<p>${escapeHtml(words)}</p>`
}

const LONG = 60

/** A table whose last column holds words; on a narrow page they stand below the figures of their row if there are many. */
function htmlTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const isLong = rows.some((row) => (row.at(-1)?.length ?? 0) > LONG)
  const line = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell, column) => `<${tag}${column === cells.length - 1 ? ' class="words"' : ''}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  return `<div class="wide"><table${isLong ? ` class="long" style="--figures: ${headings.length - 2}"` : ''}><thead>${line(headings, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('\n')}</tbody></table></div>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as it stands in a page. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}
