import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { offline, type Simulator, startSimulator } from '@nacre/simulator'
import { scenarios } from '../story/story.js'
import { MODEL, type Place } from './open-session.js'
import type { Point } from './told.js'
import { unmarked } from './unmarked.js'

/** The shop with its bug, to be copied. */
export const SHOP = fileURLToPath(new URL('../shop', import.meta.url))

/** A shop with its bug, a server, and what was sent to it. */
export interface Stage {
  readonly place: Place
  readonly simulator: Simulator
  /** The requests of the conversation, without those beside it. */
  readonly points: readonly Point[]
  /** Their messages, as they came. */
  readonly bodies: readonly string[]
  close(): Promise<void>
}

/** Sets up everything in a folder of its own. */
export async function setStage(window: number, flags: Readonly<Record<string, boolean>> = {}): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'stage-'))
  const project = join(folder, 'shop')
  const model = `${MODEL}-${window}`
  await cp(SHOP, project, { recursive: true })
  const simulator = await startSimulator({
    model: offline({ scenarios }),
    models: [{ id: model, like: MODEL, window }],
    details: { seed: 7 },
  })
  const points: Point[] = []
  const bodies: string[] = []
  simulator.observe(({ entry, body }) => {
    if (entry.source !== 'main' || entry.status !== 200) return
    const tokens = entry.input + entry.read + entry.write5m + entry.write1h
    points.push({ request: points.length + 1, tokens, dollars: simulator.ledger.totals().dollars })
    bodies.push(unmarked(body))
  })
  return {
    place: { url: simulator.url, model, window, project, home: join(folder, 'data'), flags },
    simulator,
    points,
    bodies,
    async close() {
      await simulator.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
