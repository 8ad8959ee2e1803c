import { expect, it } from 'vitest'
import { lay } from './support/memories.js'
import { ask, byTask, extracting, hasResults, memoryCall, type Stage, setStage } from './support/stage.js'

/** The server loses what it has cached: its clock goes on, that of the session does not. */
const LOST = 6 * 60_000
const filler = 'Go on with the parser. '.repeat(400)
const TABS = { name: 'Tabs', type: 'feedback', quote: 'please always indent with tabs, not spaces' }

function readsOf(stage: Stage, source: string): readonly number[] {
  const reads: number[] = []
  stage.simulator.observe(({ entry }) => entry.source === source && reads.push(entry.read))
  return reads
}

it.each([true, false])(
  'an extraction that reads nothing is told under its own name (the cache is lost: %s)',
  async (isLost) => {
    let stage: Stage | undefined
    const main = () => {
      if (isLost) stage?.simulator.clock.advance(LOST)
      return 'Done.'
    }
    stage = await setStage(byTask({ main, extract: extracting(TABS) }))
    const reads = readsOf(stage, 'extract_memories')
    const session = await stage.open()
    await ask(session, `${filler} For the parser: ${TABS.quote}. I dislike spaces.`)
    await session.close()
    expect(reads.length).toBeGreaterThan(0)
    expect(reads[0] === 0).toBe(isLost)
    const told = { source: 'extract_memories', cause: 'server', read: 0 }
    expect(session.breaks()).toMatchObject(isLost ? [told] : [])
  },
)

it.each([true, false])(
  'a dream that reads nothing of its own beginning is told (the cache is lost: %s)',
  async (isLost) => {
    let stage: Stage | undefined
    const looking = byTask({
      dream: (turn) => {
        if (hasResults(turn)) return 'All is in order.'
        if (isLost) stage?.simulator.clock.advance(LOST)
        return [memoryCall({ command: 'view', path: '/memories' })]
      },
    })
    stage = await setStage(looking)
    await lay(stage, { id: 'a', text: 'The staging database listens on port 5433.' })
    const reads = readsOf(stage, 'dream')
    const session = await stage.open({ system: filler })
    await session.command('dream')
    expect(reads.length).toBeGreaterThan(1)
    expect(reads[1] === 0).toBe(isLost)
    expect(session.breaks()).toMatchObject(isLost ? [{ source: 'dream', cause: 'server', read: 0 }] : [])
  },
)
