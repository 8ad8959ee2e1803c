/** Dollars for a million tokens, of a model whose cache is read at a part of its input price. @param {number} share */
export function pricesAt(share) {
  return { input: 3, output: 15, read: 3 * share, write5m: 3.75, write1h: 6 }
}

/** What a cached token costs, as a part of the input price: models of today stand at one of these. */
export const READ_SHARES = [0.1, 0.05, 0.025]

/**
 * Dollars for tokens by class. A replay whose requests do not depend on prices is run once and priced here for the others.
 * @param {{ input: number, output: number, read: number, write5m: number, write1h: number }} tokens
 * @param {number} share
 */
export function dollarsOf(tokens, share) {
  const prices = pricesAt(share)
  const classes = /** @type {const} */ (['input', 'output', 'read', 'write5m', 'write1h'])
  return classes.reduce((sum, name) => sum + tokens[name] * prices[name], 0) / 1_000_000
}
