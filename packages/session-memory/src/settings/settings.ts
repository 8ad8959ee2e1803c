import { NacreError, type Timer } from '@nacre/core'
import { DEFAULT_TEMPLATE, readTemplate, type Section } from '../notes/notes.js'
import { type PromptFacts, updatePrompt } from '../notes/update-prompt.js'

/** `updates`: notes are written. `relief`: they are offered when context has to be freed. */
export const FLAGS = { updates: true, relief: true } as const satisfies Record<string, boolean>

export type SessionMemoryFlag = keyof typeof FLAGS

export interface SessionMemoryOptions {
  /** The data folder: `NACRE_HOME`, or what is customary on the platform. */
  readonly home?: string
  /** The project of the session, as its store has it; the folder that the session works in unless told. */
  readonly project?: string
  /** Headings of the first level, each with an italic line that says what goes there. The first one is the title. */
  readonly template?: string
  /** What the model is asked at each update. */
  prompt?(facts: PromptFacts): string
  /** Tokens that have to come in between two updates, in a window of 200,000; 5,000 unless told. */
  readonly growth?: number
  /** Dollars that updates may cost in a day, over all sessions of the data folder; as many as they need unless told. */
  readonly dailyDollars?: number
  /** For the times that are waited; tests pass their own. */
  readonly timer?: Timer
}

/** The options with their defaults. */
export interface Settings {
  readonly home: string | undefined
  readonly project: string | undefined
  readonly sections: readonly Section[]
  prompt(facts: PromptFacts): string
  readonly growth: number
  readonly dailyDollars: number
  readonly timer: Timer
}

/** What has to come in before the next update, for a full window. */
const GROWTH = 5_000

/** Throws where an option makes no sense. */
export function readSettings(options: SessionMemoryOptions): Settings {
  const { growth = GROWTH, dailyDollars = Number.POSITIVE_INFINITY } = options
  if (!(growth > 0)) throw new NacreError('INVALID_SETTINGS', `growth has to be above 0; it is ${growth}.`)
  if (!(dailyDollars >= 0)) {
    throw new NacreError('INVALID_SETTINGS', `dailyDollars has to be 0 or more; it is ${dailyDollars}.`)
  }
  return {
    home: options.home,
    project: options.project,
    sections: readTemplate(options.template ?? DEFAULT_TEMPLATE),
    prompt: options.prompt ?? updatePrompt,
    growth,
    dailyDollars,
    timer: options.timer ?? realTimer,
  }
}

const realTimer: Timer = (milliseconds, fire) => {
  const handle = setTimeout(fire, milliseconds)
  return () => clearTimeout(handle)
}
