import type { Fact } from './fact.js'
import { type Random, random } from './random.js'

type Format = (random: Random) => { readonly text: string; readonly line: string }

const name = ({ pick, word }: Random) =>
  pick([word, () => `${word()}-${word()}`, () => `${word()}_${word()}`, () => word() + capital(word())])()
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const around = (text: string, lines: readonly string[], { pick }: Random) => ({
  text,
  line: pick(lines).replace('@', text),
})

const ENDINGS = ['ts', 'tsx', 'py', 'go', 'rs', 'kt', 'tf', 'vue', 'proto', 'sql', 'yaml', 'md', 'json', 'swift', 'ex']

const path: Format = (random) => {
  const folders = Array.from({ length: random.between(1, 5) }, () => name(random))
  const file = `${name(random)}.${random.pick(ENDINGS)}`
  const text = `${random.pick(['', '', './', '/', '~/', '../'])}${[...folders, file].join('/')}`
  return around(text, ['read @ again', 'modified: @', 'the cause is in @, near the top', '@ | 14 ++--'], random)
}

const sha: Format = (random) => {
  const text = random.hex(random.pick([7, 8, 10, 12, 40]))
  return around(text, ['commit @', 'HEAD is now at @ wip', 'the build of @ is green', 'git revert @ --no-edit'], random)
}

const port: Format = (random) => {
  const text = String(random.between(20_000, 64_999))
  const lines = [
    'listening on 127.0.0.1:@',
    'port @ is taken',
    'curl http://localhost:@/health',
    '--port @',
    '0.0.0.0:@->5432/tcp',
  ]
  return around(text, lines, random)
}

const error: Format = (random) => {
  const { word, between } = random
  const said = `${word()} of ${word()} ${random.pick(['is not defined', 'timed out', 'can not be read', 'has no member'])}`
  const text = random.pick([
    `${capital(word())}Error: ${said}`,
    `${capital(word())}${capital(word())}Exception: ${said}`,
    `error TS${between(1000, 9999)}: ${said}`,
    `error[E0${between(100, 999)}]: ${said}`,
    `E${word().toUpperCase()}: ${said}`,
    `fatal: ${said}`,
    `panic: ${said}`,
  ])
  return around(text, ['@', '  at run: @', 'FAIL @'], random)
}

const measure: Format = (random) => {
  const { between, pick } = random
  const number = pick([
    `${between(11, 9_999)}`,
    `${between(2, 99)}.${between(1, 9)}`,
    `${between(1, 9)},${between(100, 999)}`,
  ])
  const text = pick(['ms', 's', 'MB', 'GiB', 'rows', 'req/s', 'kHz', 'tokens', '%'].map((unit) => join(number, unit)))
  return around(text, ['took @ in all', 'the limit is @', 'p99 @', 'peak: @ at noon'], random)
}

function join(number: string, unit: string): string {
  return unit === '%' || unit === 's' ? number + unit : `${number} ${unit}`
}

const rule: Format = (random) => {
  const { word, pick } = random
  const text = pick([
    `Never touch the ${word()} folder.`,
    `Always run ${word()} before you push ${word()}.`,
    `From now on write ${word()} in lower case.`,
    `Do not add a dependency on ${word()}-${word()}.`,
    `Ask me before you delete a ${word()}.`,
  ])
  return { text, line: text }
}

const correction: Format = (random) => {
  const { word, between, pick } = random
  const text = pick([
    `No, the ${word()} is ${between(11, 99)}, not ${between(100, 199)}.`,
    `That is wrong: ${word()} belongs to ${word()}.`,
    `I meant ${word()}, not ${word()}.`,
    `Stop. It was ${word()} that broke ${word()}.`,
  ])
  return { text, line: text }
}

const SHARES: readonly (readonly [string, number, Format, boolean])[] = [
  ['path', 26, path, false],
  ['sha', 16, sha, false],
  ['port', 16, port, false],
  ['error', 20, error, false],
  ['measure', 20, measure, false],
  ['rule', 12, rule, true],
  ['correction', 10, correction, true],
]

/** 120 exact identifiers of seven kinds, in formats that the seed chooses; no two hold one another. */
export function plantFacts(seed: number): Fact[] {
  return factsOf(seed, SHARES)
}

/** As many facts of each kind as asked for, in an order that the seed chooses. */
export function factsOf(seed: number, shares: readonly (readonly [string, number, Format, boolean])[]): Fact[] {
  const chance = random(seed)
  const facts: Fact[] = []
  for (const [kind, count, format, isSaid] of shares) {
    for (let made = 0; made < count; ) {
      const fact = { kind, isSaid, ...format(chance) }
      if (facts.some(({ text }) => text.includes(fact.text) || fact.text.includes(text))) continue
      facts.push(fact)
      made += 1
    }
  }
  return chance.shuffle(facts)
}
