import { describe, expect, it } from 'vitest'
import { type LongOptions, type LongRun, runLong } from './long-session.js'

const CALLS = Number(process.env.LONG_CALLS ?? 600)
const SEEDS = Number(process.env.LONG_SEEDS ?? 1)
const WINDOW = 60_000
const SMALL: Omit<LongOptions, 'seed'> = { calls: CALLS, window: WINDOW, model: 'claude-sonnet-4-6', thinks: false }
/** Thinking that is bound to its prefix, and an account that is held to it. */
const BOUND: Omit<LongOptions, 'seed'> = { ...SMALL, model: 'claude-opus-5-5', thinks: true }

/** Without the API's own clearing, which leaves nothing to fold. */
const FOLDED: Omit<LongOptions, 'seed'> = {
  ...BOUND,
  calls: CALLS / 3,
  flags: { 'compact.api': false, 'compact.clear': false },
}

/** `npm run soak` tries other settings too. */
const OTHERS: readonly Omit<LongOptions, 'seed'>[] = [SMALL, BOUND].flatMap((base) => [
  { ...base, policy: 'economy' },
  { ...base, policy: 'fidelity' },
  { ...base, flags: { 'compact.clear': false } },
  { ...base, flags: { 'compact.clear': false, 'compact.summary': false } },
  { ...base, flags: { 'compact.collapse': true } },
  { ...base, flags: { 'compact.cached': true } },
  { ...base, flags: { 'compact.server': true } },
])
const SETTINGS = process.env.LONG_SEEDS ? [SMALL, BOUND, FOLDED, ...OTHERS] : [SMALL, BOUND, FOLDED]
const RUNS = SETTINGS.flatMap((settings) =>
  Array.from({ length: SEEDS }, (_, seed) => ({ ...settings, seed: seed + 1 })),
)

describe('a session of hundreds of calls on a small window', () => {
  it.each(RUNS)('ends without a refused request and loses nothing: %j', { timeout: 300_000 }, async (options) => {
    const run = await runLong(options)
    expect(run.ends.filter((end) => end !== 'done')).toEqual([])
    expect(run.calls).toBe(options.calls)
    expect(run.refused).toEqual([])
    expect(run.withoutPrompt).toBe(0)
    expect(run.withThinking > 0).toBe(options.thinks)
    expect(run.edits).toBeGreaterThan(0)
    const { 'compact.api': byServer = options.thinks, 'compact.clear': clears = true } = options.flags ?? {}
    if (!byServer && !clears) expect(run.folds).toBeGreaterThan(0)
    // A fold that did not last would be a loop; those of collapse are of single pieces of work.
    expect(run.folds).toBeLessThan(run.characters / 3 / (options.flags?.['compact.collapse'] ? 4_000 : 10_000))
    expect(await missing(run)).toEqual([])
  })
})

/** The first messages are looked up even where the view has them. */
const FIRST = 3

/** Prompts that are neither in the view nor given back word for word by Recall. */
async function missing(run: LongRun): Promise<string[]> {
  const view = viewText(run)
  const lost: string[] = []
  for (const prompt of run.prompts.filter((each, index) => index < FIRST || !view.includes(each))) {
    const hits = await run.recall({ anchor: prompt.slice(0, prompt.indexOf(':')), role: 'user', scope: 'all' })
    const id = /^\[([^\]]+)\]/m.exec(hits)?.[1]
    const text = id === undefined ? '' : await run.recall({ id })
    if (!text.includes(prompt)) lost.push(prompt)
  }
  return lost
}

function viewText({ session }: LongRun): string {
  const view = session.view()
  return view.rounds
    .flatMap(({ entries, content = [] }) => [
      ...content,
      ...entries.flatMap(({ id, content: own }) => own.flatMap((_, block) => view.shown({ entry: id, block }))),
    ])
    .map((block) => String(block.text ?? ''))
    .join('\n')
}
