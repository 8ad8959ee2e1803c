import { NacreError, type Timer } from '@nacre/core'
import { FIGURES } from './figures.js'
import { DEFAULT_TEMPLATE } from './template/default-template.js'
import { readTemplate, type Section } from './template/read-template.js'
import { type PromptFacts, updatePrompt } from './update/update-prompt.js'

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

/** Throws where an option makes no sense. */
export function readSettings(options: SessionMemoryOptions): Settings {
  const { growth = FIGURES.growth, dailyDollars = Number.POSITIVE_INFINITY } = options
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
