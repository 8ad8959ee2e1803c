import { type SimulatedModel, type Simulator, scripted, startSimulator } from '@nacre/simulator'
import { onTestFinished } from 'vitest'
import { freshPlace, type Place, program } from '../support/program.js'
import { type PseudoTerminal, pseudoTerminal } from './pseudo-terminal.js'

export interface Stage {
  readonly simulator: Simulator
  readonly place: Place
  start(args?: readonly string[], look?: Look): PseudoTerminal
}

interface Look {
  readonly columns?: number
  readonly rows?: number
  readonly env?: Readonly<Record<string, string>>
}

/** A simulator, a project and a home of their own for one test. */
export async function setUp(model: SimulatedModel | Parameters<typeof scripted>[0]): Promise<Stage> {
  const simulator = await startSimulator({ model: typeof model === 'function' ? model : scripted(model) })
  onTestFinished(() => simulator.close())
  const place = await freshPlace({
    ANTHROPIC_API_KEY: 'test',
    ANTHROPIC_BASE_URL: simulator.url,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  })
  return {
    simulator,
    place,
    start(args = [], { env = {}, ...size } = {}) {
      const terminal = pseudoTerminal({
        command: [process.execPath, program.main, ...args],
        cwd: place.cwd,
        env: { ...place.env, ...env },
        ...size,
      })
      onTestFinished(async () => {
        terminal.kill()
        await terminal.exit
      })
      return terminal
    },
  }
}
