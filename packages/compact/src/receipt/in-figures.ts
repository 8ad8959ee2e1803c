const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** A count for people: `167,000`. */
export function inFigures(count: number): string {
  return WHOLE.format(count)
}
