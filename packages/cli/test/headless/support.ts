import { type Exchange, type SimulatedModel, type Simulator, startSimulator } from '@nacre/simulator'
import { onTestFinished } from 'vitest'
import { freshPlace, type Place } from '../support/program.js'

export interface Stage {
  readonly place: Place
  readonly simulator: Simulator
  /** Requests as they came. */
  readonly exchanges: readonly Exchange[]
}

/** A simulator that answers over the socket, and a place whose environment points at it. */
export async function stage(model: SimulatedModel): Promise<Stage> {
  const simulator = await startSimulator({ model, details: { seed: 1 } })
  onTestFinished(() => simulator.close())
  const exchanges: Exchange[] = []
  simulator.observe((exchange) => exchanges.push(exchange))
  const place = await freshPlace({ ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: simulator.url })
  return { place, simulator, exchanges }
}
