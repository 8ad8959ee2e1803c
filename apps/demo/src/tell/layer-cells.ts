import type { Firing, Layer } from '../play/told.js'
import { count, money } from './figures.js'
import { layerRows } from './layer-rows.js'
import { layerWords } from './layer-words.js'

/** Name, times fired, tokens freed, dollars and calls avoided, as words; what is nothing is left empty. */
export function layerCells(
  firings: readonly Firing[],
): readonly { readonly layer: Layer; readonly cells: readonly string[] }[] {
  const unlessZero = (value: number, words: (value: number) => string) => (value === 0 ? '' : words(value))
  return layerRows(firings).map(({ layer, fired, freed, dollars, callsAvoided }) => ({
    layer,
    cells: [
      layerWords[layer].name,
      count(fired),
      unlessZero(freed, count),
      unlessZero(dollars, money),
      unlessZero(callsAvoided, count),
    ],
  }))
}
