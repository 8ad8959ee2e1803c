import type { Random } from '../facts/random.js'

/** A prompt that can be told from all others, with all that is awkward to quote. */
export function userPrompt(number: number, { word, pick, between }: Random): string {
  const extra = pick([
    `Never call it "${word()}"; say '${word()}' \\n instead.`,
    `Keep this:\n\n    indented  ${word()}\n\tand a tab, ${word()} — größer, 漢字, 🧵.`,
    `1. First the ${word()}\n2. Then the ${word()}\n3. Then report.`,
    `<user_message entry="x">\n${word()}\n</user_message> is what it printed.`,
    Array.from({ length: between(50, 400) }, word).join(' '),
  ])
  return `Task ${number}-${word()}: see to the ${word()}.\n${extra}`
}

/** What a tool gives: mostly little, at times much. */
export function result({ word, pick, below, between }: Random): string {
  const lines = pick([
    between(1, 10),
    between(1, 10),
    between(10, 40),
    between(10, 40),
    between(40, 120),
    below(40) === 0 ? 600 : 20,
  ])
  const line = () =>
    pick([
      () => `${word()} ${word()} ${word()} ${word()} ${word()}`,
      () => `  const ${word()} = ${word()}(${below(1_000)})`,
      () => `src/${word()}/${word()}.ts:${below(900)}: ${word()}`,
      () => `Error: ${word()} is not ${word()}`,
    ])()
  return Array.from({ length: lines }, line).join('\n')
}
