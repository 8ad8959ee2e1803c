import { seeded } from '../sessions/random.mjs'

/**
 * One exact thing to know, the words it is asked by, and what nobody can guess of it.
 * @typedef {{ question: string, answer: string, line: string }} Fact
 */

/** Common words, so that a token is about four characters, as it is in prose. */
const WORDS =
  'the service of another to company and because in problem that country it example was general for nothing on several'
const KINDS = [
  { what: 'checksum', answer: (random) => hex(random, 12) },
  { what: 'source file', answer: (random) => `src/${hex(random, 4)}/${hex(random, 6)}.ts` },
  { what: 'port', answer: (random) => `port ${20_000 + Math.floor(random() * 40_000)}` },
  { what: 'address', answer: (random) => `https://${hex(random, 8)}.example.com/status` },
  { what: 'last error', answer: (random) => `ERR_${hex(random, 6).toUpperCase()}` },
  { what: 'latency', answer: (random) => `${1_000 + Math.floor(random() * 8_000)} ms` },
]

/**
 * A job of tool calls with long results, every tenth longer still, and one exact fact in each of them: a session to
 * replay, and the facts. Around its fact a result is plain words.
 * @param {{ calls?: number, long?: number, longest?: number, seed?: number }} [options]
 * @returns {{ session: import('../sessions/exchanges.mjs').Session, facts: Fact[] }}
 */
export function factsJob({ calls = 60, long = 24_000, longest = 100_000, seed = 11 } = {}) {
  const random = seeded(seed)
  const facts = Array.from({ length: calls }, (_, index) => fact(index, random))
  const results = new Map(
    facts.map(({ line }, index) => {
      const size = index % 10 === 9 ? longest : long
      return [`toolu_${index}`, { content: hide(line, size, random), isError: false }]
    }),
  )
  const answers = facts.map((_, index) => [
    { type: 'text', text: `Now unit ${index + 1}.` },
    { type: 'tool_use', id: `toolu_${index}`, name: 'Read', input: { unit: index + 1 } },
  ])
  const exchange = {
    prompt: `Read all ${calls} units and report.`,
    answers: [...answers, [{ type: 'text', text: 'Done.' }]],
  }
  return { session: { name: 'facts', origin: 'seeded', exchanges: [exchange], results }, facts }
}

/** @returns {Fact} */
function fact(index, random) {
  const { what, answer } = KINDS[index % KINDS.length]
  const question = `${what} of unit-${index + 1}`
  const found = answer(random)
  return { question, answer: found, line: `The ${question} is ${found}.` }
}

/** Plain words of a length, with a line somewhere in them. */
function hide(line, size, random) {
  const words = WORDS.split(' ')
  const lines = []
  for (let length = line.length; length < size; length += lines.at(-1).length + 1) {
    lines.push(Array.from({ length: 14 }, () => words[Math.floor(random() * words.length)]).join(' '))
  }
  lines.splice(Math.floor(random() * lines.length), 0, line)
  return lines.join('\n')
}

function hex(random, length) {
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
}
