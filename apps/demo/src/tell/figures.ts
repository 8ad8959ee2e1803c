/** A count for people: `26,500`. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** Dollars to a hundredth of a cent: `$0.0412`. */
export function money(dollars: number): string {
  return `$${dollars.toFixed(4)}`
}

/** A share: `93%`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}
