import type { Edit } from '@nacre/core'
import { expect, it } from 'vitest'
import { resultsIn, workSession } from './work-session.js'

const TEXT = 'One page after the other is read. '.repeat(500)

/** Without markers, which move with the turns. */
function bare(body: string): unknown {
  const { messages } = JSON.parse(body) as { readonly messages: unknown }
  return JSON.parse(JSON.stringify(messages, (key, value) => (key === 'cache_control' ? undefined : value)))
}

it('gives back what was there to the byte, and leaves it alone from then on', async () => {
  const run = async (isOn: boolean) => {
    let time = 0
    const details = { effects: { now: () => time, wait: () => undefined } }
    const flags = { 'compact.clear': isOn, 'compact.idle': isOn, 'compact.recall': false }
    const result = (number: number) => `${number} ${TEXT}`
    const work = await workSession({ calls: 9, window: 400_000, result, session: { details, flags } })
    const edits: Edit[] = []
    work.session.events.on('edit', ({ edit }) => edits.push(edit))
    const cold = async (prompt: string, calls: number) => {
      time += 6 * 60_000
      await work.run(prompt, calls)
      return work.requests.at(-1)?.body ?? ''
    }
    await work.run()
    await cold('Go on.', 0)
    if (isOn) await work.session.undo({ edit: edits[0]?.id as string })
    const bodies: string[] = []
    for (let turn = 0; turn < 5; turn++) {
      await work.run('And now?', 0)
      bodies.push(work.requests.at(-1)?.body ?? '')
    }
    return { bodies, edits, last: await cold('Read on.', 8) }
  }
  const [cleared, whole] = [await run(true), await run(false)]
  expect(cleared.edits.length).toBeGreaterThan(1)
  expect(cleared.bodies.map(bare)).toEqual(whole.bodies.map(bare))
  // What came back stays; what came later may go.
  const kinds = resultsIn(cleared.last).map((text) => text.startsWith('[Cleared: '))
  const back = cleared.edits[0]?.changes.length ?? 0
  expect(back).toBe(4)
  expect(kinds.slice(0, back).some(Boolean)).toBe(false)
  expect(kinds.slice(back).some(Boolean)).toBe(true)
})
