import type { Live } from '../play/play-live.js'
import { count, money, percent } from './figures.js'
import { layerTable } from './layer-table.js'
import type { Paint } from './paint.js'

/** What came of the work with a real model. */
export function liveText({ model, firings, requests, dollars, hitRate, refusal, isFixed }: Live, paint: Paint): string {
  return `
${paint.bold(`What each layer did with ${model}`)}
${layerTable(firings, paint)}

${count(requests)} requests, ${money(dollars)}, ${percent(hitRate)} of the input from the cache. ${refusal ? `It stopped: ${refusal}` : 'It came to its end.'}
The tests of the shop ${isFixed ? 'pass' : 'still fail'}.
`
}
