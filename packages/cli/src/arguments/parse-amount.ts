import { InvalidArgumentError } from 'commander'

/** A number above zero; `whole` ones are counted, the others are dollars. */
export function parseAmount(text: string, kind: 'whole' | 'dollars'): number {
  const value = Number(kind === 'dollars' ? text.replace(/^\$/, '') : text)
  const isGood =
    text.trim() !== '' && Number.isFinite(value) && value > 0 && (kind === 'dollars' || Number.isInteger(value))
  if (isGood) return value
  throw new InvalidArgumentError(
    kind === 'whole' ? 'Expected a whole number above 0, as in 10.' : 'Expected dollars above 0, as in 0.50.',
  )
}
