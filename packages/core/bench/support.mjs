/**
 * One row of the table: what was measured, and the most it may be.
 * @typedef {{ name: string, ratio: number, limit: number, detail: string }} Row
 */

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

const ZERO = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, dollars: 0 }

/** @param {string} words */
export function text(words) {
  return [{ type: 'text', text: words }]
}

/** Entries of a log: prompts and answers in turn. @param {number} count @param {number} size characters of each */
export function entries(count, size = 200) {
  return Array.from({ length: count }, (_, number) => {
    const logged = { id: `e${number}`, time: number, content: text(`${number} ${'word '.repeat(size / 5)}`) }
    if (number % 2 === 0) return { ...logged, kind: 'user' }
    return {
      ...logged,
      kind: 'assistant',
      model: 'bench',
      messageId: `m${number}`,
      usage: ZERO,
      stop: 'end_turn',
      prefix: '',
    }
  })
}

/** A model that answers at once and looks at nothing, so that only the session's own work is measured. */
export function silentModel() {
  return {
    info: {
      id: 'bench',
      window: 1_000_000_000,
      maxOutput: 1000,
      cacheMinimum: 1024,
      thinking: /** @type {const} */ ('none'),
      can: new Set(['system-messages']),
      price: () => ({ input: 1, output: 5, read: 0.1, write5m: 1.25, write1h: 2 }),
    },
    async *stream() {
      yield { type: 'start', messageId: 'm' }
      yield { type: 'block', index: 0, block: { type: 'text', text: 'ok' } }
      yield { type: 'end', stop: 'end_turn', usage: { ...ZERO, input: 1000, output: 1 }, thinkingDropped: [] }
    },
  }
}

/** Microseconds of processor time that work takes. @param {() => Promise<unknown>} work */
export async function cpu(work) {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
