const LIMIT =
  /\b(?:at most|up to|under|within|below|no more than|fewer than)\s+(?:about\s+)?(\d[\d,]*)\s+(tokens|words)/i
const TOKENS_A_WORD = 1.4

/** How many tokens a summary may take: what is given, or less where its request says so. */
export function summaryBudget(request: string, given: number): number {
  const [, figure = '', unit] = LIMIT.exec(request) ?? []
  if (figure === '') return given
  const asked = Number(figure.replaceAll(',', '')) * (unit?.toLowerCase() === 'words' ? TOKENS_A_WORD : 1)
  return Math.min(given, asked)
}
