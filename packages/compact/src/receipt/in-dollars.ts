/** Dollars for people, as exactly as they matter: `$1.25`, `$0.021`, `$0.0004`. */
export function inDollars(dollars: number): string {
  if (dollars === 0) return '$0'
  const digits = Math.min(6, Math.max(2, 1 - Math.floor(Math.log10(Math.abs(dollars)))))
  return `$${dollars.toFixed(digits)}`
}
