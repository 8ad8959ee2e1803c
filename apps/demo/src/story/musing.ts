const THOUGHTS = [
  'Each ticket names an order, and each order has a moment, a region and what was promised.',
  'If the coupon were read wrongly, the goods would be wrong as well, and they are not.',
  'A rounding error would be a cent or two; here it is always a fifth of the goods.',
  'The region plays no part so far: the same happens from Porto to Bergen.',
  'What the customer saw on the page was worked out elsewhere, so it proves nothing.',
  'I keep a list of what I have ruled out, so that nobody has to ask again.',
  'The moment matters more than the day: some were placed at noon and some at night.',
  'None of this needs a change yet; I only compare.',
  'Should one of them have no coupon at all, the whole idea would be wrong.',
]

const SENTENCES = 9

/** What the model says before a call: the words of an agent that thinks aloud, never the same twice. */
export function musing(topic: string, step: number): string {
  const sentences = Array.from({ length: SENTENCES }, (_, index) => THOUGHTS[(step * 4 + index) % THOUGHTS.length])
  return `${topic}, check ${step + 1}. ${sentences.join(' ')}`
}
