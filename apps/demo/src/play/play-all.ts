import type { Narrator } from '../tell/narrator.js'
import { MODEL } from './open-session.js'
import { playRun, type Setting } from './play-run.js'
import { playStory } from './play-story.js'
import type { Run, Told } from './told.js'

/** The window of the story: the work needs more than twice as much. */
export const WINDOW = 36_000
const LARGE = 200_000

const STORED = 'tool-result-storage'
const NOTES = 'session-memory'
const COMPACT = 'compact'

const WITHOUT: Setting = { name: 'no layers', window: WINDOW, off: [STORED, NOTES, COMPACT] }

/** In a window that holds all of the work, so that nothing but the layers makes the difference. */
const ADDED: readonly Setting[] = [
  { name: 'no layers', window: LARGE, off: [STORED, NOTES, COMPACT] },
  { name: 'stored results', window: LARGE, off: [NOTES, COMPACT] },
  { name: 'stored and cleared results', window: LARGE, off: [NOTES] },
]

/** The story, told as it is played, and the same work in other settings. */
export async function playAll(narrator: Narrator, worker: string): Promise<Told> {
  const { run, firings, byHand } = await playStory({ window: WINDOW, narrator, worker })
  narrator.scene('The same work without layers, and with one after the other')
  const tell = async (setting: Setting): Promise<Run> => {
    const played = await playRun(setting)
    const { name, window, refusal, requests } = played
    const end = refusal ? `stops at request ${requests + 1}: ${refusal}` : `done after ${requests} requests`
    narrator.answer(`${name}, window ${window.toLocaleString('en-US')}: ${end}`)
    await narrator.flush()
    return played
  }
  const without = await tell(WITHOUT)
  const large: Run[] = []
  for (const setting of ADDED) large.push(await tell(setting))
  return { version: 1, model: MODEL, story: run, firings, byHand, without, large }
}
