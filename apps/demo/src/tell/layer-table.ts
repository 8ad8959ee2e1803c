import type { Firing } from '../play/told.js'
import { layerCells } from './layer-cells.js'
import { layerWords } from './layer-words.js'
import type { Paint } from './paint.js'
import { table } from './table.js'

/** What each layer did, for a terminal. */
export function layerTable(firings: readonly Firing[], paint: Paint, width: number): string {
  const rows = layerCells(firings).map(({ layer, cells }) => [
    ...cells,
    layerWords[layer].package.replace('@nacre/', ''),
  ])
  return table(['layer', 'fired', 'tokens freed', 'it cost', 'calls avoided', 'package'], rows, paint, width)
}
