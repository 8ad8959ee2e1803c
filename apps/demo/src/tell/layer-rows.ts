import { type Firing, LAYERS, type Layer } from '../play/told.js'

/** What one layer did in all. */
export interface LayerRow {
  readonly layer: Layer
  readonly fired: number
  readonly freed: number
  readonly dollars: number
  readonly callsAvoided: number
}

/** A row for each layer, in order. */
export function layerRows(firings: readonly Firing[]): readonly LayerRow[] {
  return LAYERS.map((layer) => {
    const own = firings.filter((firing) => firing.layer === layer)
    const sum = (figure: (firing: Firing) => number) => own.reduce((total, firing) => total + figure(firing), 0)
    return {
      layer,
      fired: own.length,
      // An undo frees nothing: it brings back.
      freed: Math.max(
        0,
        sum(({ freed }) => freed),
      ),
      dollars: sum(({ dollars }) => dollars),
      callsAvoided: sum(({ callsAvoided }) => callsAvoided),
    }
  })
}
