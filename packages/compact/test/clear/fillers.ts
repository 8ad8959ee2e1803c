/** A small generator: the same seed gives the same numbers. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Chance = () => number
type Line = (chance: Chance, number: number) => string

const SYLLABLES = ['ka', 'ren', 'to', 'mil', 'sa', 'vor', 'ne', 'du', 'pli', 'ash', 'er', 'on']
const WORDS = [
  'the',
  'session',
  'reads',
  'a',
  'file',
  'and',
  'then',
  'every',
  'table',
  'waits',
  'until',
  'some',
  'part',
]

export const pick = <T>(chance: Chance, of: readonly T[]): T => of[Math.floor(chance() * of.length)] as T
const whole = (chance: Chance, from: number, to: number) => from + Math.floor(chance() * (to - from))
export const hex = (chance: Chance, length: number) =>
  Array.from({ length }, () => '0123456789abcdef'[Math.floor(chance() * 16)]).join('')
export const word = (chance: Chance) =>
  Array.from({ length: whole(chance, 2, 4) }, () => pick(chance, SYLLABLES)).join('')
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const two = (value: number) => String(value).padStart(2, '0')

const prose: Line = (chance) => {
  const said = Array.from({ length: whole(chance, 8, 20) }, () => (chance() < 0.2 ? word(chance) : pick(chance, WORDS)))
  const aside = chance() < 0.1 ? ` See chapter ${whole(chance, 1, 40)}.` : ''
  return `${capital(said.join(' '))}.${aside}`
}

const code: Line = (chance) => {
  const name = word(chance) + capital(word(chance))
  return pick(chance, [
    `  const ${name} = await this.${word(chance)}.${name}(${word(chance)}, ${whole(chance, 0, 99)})`,
    `  if (${name}.length > ${whole(chance, 1, 500)}) return ${word(chance)}_${word(chance)}`,
    `import { ${capital(name)} } from './${word(chance)}/${word(chance)}.js'`,
    `  /** ${capital(word(chance))} of the ${word(chance)}. */`,
    '  }',
  ])
}

const log: Line = (chance, number) => {
  const time = `2026-11-15T${two(Math.floor(number / 3600) % 24)}:${two(Math.floor(number / 60) % 60)}:${two(number % 60)}.${whole(chance, 100, 999)}Z`
  return `${time} ${pick(chance, ['INFO', 'DEBUG', 'WARN'])} [${word(chance)}] request ${hex(chance, 8)} ${pick(chance, ['GET', 'POST'])} /api/${word(chance)}/${whole(chance, 1, 9_999)} ${pick(chance, [200, 204, 404])} ${whole(chance, 1, 900)}ms`
}

const rows: Line = (chance, number) =>
  JSON.stringify({
    id: 10_000 + number,
    name: `${word(chance)} ${word(chance)}`,
    sum: whole(chance, 100, 99_999) / 100,
    key: hex(chance, 12),
  })

/** Lines that say nothing in particular, as results are full of. */
export const FILLERS: Readonly<Record<string, Line>> = { prose, code, log, rows }

/** A text of so many characters with one line in it that says something. */
export function textWith(fact: string, filler: string, characters: number, seed: number): string {
  const chance = seeded(seed)
  const line = FILLERS[filler] as Line
  const lines: string[] = []
  for (let size = 0; size < characters; ) {
    const next = line(chance, lines.length)
    lines.push(next)
    size += next.length + 1
  }
  lines.splice(Math.floor(chance() * lines.length), 1, fact)
  return lines.join('\n')
}
