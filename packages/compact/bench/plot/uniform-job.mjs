import { replay } from '../replay.mjs'
import { codeLike, seeded } from '../sessions/random.mjs'

const CALLS = 120
const CHARACTERS = 12_000
const SYSTEM_CHARACTERS = 20_000

/** Equal results, one to a turn: what the formula is about. @returns {import('../sessions/exchanges.mjs').Session} */
export function uniformJob({ calls = CALLS, characters = CHARACTERS } = {}) {
  const random = seeded(5)
  const ids = Array.from({ length: calls }, (_, index) => `toolu_${index}`)
  const results = new Map(ids.map((id) => [id, { content: codeLike(random, characters), isError: false }]))
  const answers = ids.map((id, index) => [{ type: 'tool_use', id, name: 'Read', input: { file: `part-${index}.ts` } }])
  const exchanges = [{ prompt: 'Read all parts.', answers: [...answers, [{ type: 'text', text: 'Done.' }]] }]
  return { name: 'uniform', origin: 'seeded', exchanges, results }
}

/** Replays it, without a limit of the window that would cut in by itself. */
export function replayUniform(job, options) {
  const system = codeLike(seeded(1), SYSTEM_CHARACTERS)
  return replay(job, { window: 1_000_000, system, summarize: () => 'Nothing.', ...options })
}
