import type { Live } from '../play/play-live.js'
import { count, money, percent } from './figures.js'
import { layerTable } from './layer-table.js'
import type { Paint } from './paint.js'
import { wrap } from './wrap.js'

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
