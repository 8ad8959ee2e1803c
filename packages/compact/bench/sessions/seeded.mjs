import { codeLike, seeded } from './random.mjs'

/**
 * What was measured on the recorded sessions: how many calls to a prompt, and how long things are in characters, by the
 * quantiles below. A length between two of them is drawn evenly on a logarithmic scale.
 */
const QUANTILES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 0.99, 1]
const SHAPES = [
  {
    name: 'large results',
    exchanges: [40, 125, 8],
    tools: { Bash: 82, Read: 42, Edit: 35, Write: 13, Glob: 8, Grep: 5, Task: 1 },
    results: [1, 30, 126, 215, 1_370, 5_718, 13_361, 21_881, 25_666],
    inputs: [26, 66, 91, 116, 366, 1_132, 3_377, 9_315, 22_122],
    texts: { share: 0.5, lengths: [5, 40, 53, 81, 116, 180, 244, 1_138, 1_138] },
    prompts: [13, 13, 21, 438, 459, 459, 459, 459, 459],
  },
  {
    name: 'coding',
    exchanges: Array.from({ length: 79 }, (_, index) => (index % 8 === 4 ? 17 : 3)),
    tools: { bash: 192, edit: 128, read: 50, write: 3 },
    results: [7, 14, 85, 114, 474, 1_552, 3_589, 6_894, 43_245],
    inputs: [20, 60, 81, 94, 440, 1_036, 2_261, 3_655, 9_464],
    texts: { share: 0.57, lengths: [5, 24, 43, 93, 227, 530, 902, 1_401, 2_096] },
    prompts: [5, 20, 36, 79, 114, 204, 1_311, 1_800, 2_023],
  },
  {
    name: 'short',
    exchanges: [51],
    tools: { Bash: 1 },
    results: [45, 45, 136, 459, 1_442, 6_363, 10_613, 151_582, 151_582],
    inputs: [20, 40, 44, 67, 91, 161, 4_636, 4_636, 4_636],
    texts: { share: 1, lengths: [5, 26, 55, 209, 711, 1_863, 4_085, 18_439, 18_439] },
    prompts: Array(9).fill(7_150),
  },
]

/**
 * Sessions of the same shapes as the recorded ones, for where those are not at hand. `turns` ends each after so many calls.
 * @param {{ seed?: number, turns?: number }} [options]
 * @returns {import('./exchanges.mjs').Session[]}
 */
export function seededSessions({ seed = 7, turns = Number.POSITIVE_INFINITY } = {}) {
  return SHAPES.map((shape, index) => generate(shape, seeded(seed + index), turns))
}

/** @param {typeof SHAPES[number]} shape @param {() => number} random @param {number} turns */
function generate(shape, random, turns) {
  const results = new Map()
  const words = (quantiles) => codeLike(random, draw(quantiles, random()))
  const total = shape.exchanges.reduce((sum, calls) => sum + calls, 0)
  // One draw from each part of the scale, in mixed order: so the longest ones are there, whatever the seed.
  const positions = shuffled(
    Array.from({ length: total }, (_, index) => (index + random()) / total),
    random,
  )
  const answer = () => {
    const id = `toolu_${results.size}`
    results.set(id, { content: codeLike(random, draw(shape.results, positions[results.size] ?? 0)), isError: false })
    const call = { type: 'tool_use', id, name: tool(shape.tools, random()), input: { text: words(shape.inputs) } }
    return random() < shape.texts.share ? [{ type: 'text', text: words(shape.texts.lengths) }, call] : [call]
  }
  const exchanges = []
  for (const calls of shape.exchanges) {
    const count = Math.min(calls, turns - results.size)
    if (count <= 0) break
    const answers = Array.from({ length: count }, answer)
    exchanges.push({
      prompt: words(shape.prompts),
      answers: [...answers, [{ type: 'text', text: words(shape.texts.lengths) }]],
    })
  }
  return { name: shape.name, origin: /** @type {const} */ ('seeded'), exchanges, results }
}

/** The length at a place of the distribution. @param {readonly number[]} lengths @param {number} at */
export function draw(lengths, at) {
  const upper = Math.max(
    1,
    QUANTILES.findIndex((quantile) => quantile >= at),
  )
  const [low, high] = [QUANTILES[upper - 1], QUANTILES[upper]]
  const [shortest, longest] = [lengths[upper - 1], lengths[upper]]
  const part = (at - low) / (high - low)
  return Math.round(Math.exp(Math.log(shortest) * (1 - part) + Math.log(longest) * part))
}

/** @param {Readonly<Record<string, number>>} weights @param {number} at */
function tool(weights, at) {
  const names = Object.entries(weights).flatMap(([name, weight]) => Array(weight).fill(name))
  return names[Math.floor(at * names.length)]
}

/** @param {number[]} list @param {() => number} random */
function shuffled(list, random) {
  const keyed = list.map((value) => ({ value, key: random() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value)
}
