import { type Embed, NacreError, type Store, type Timer } from '@nacre/core'

/** `extract`: memories are written at the end of a turn. `recall`: what fits a prompt is brought back. `consolidate`: dreams. */
export const FLAGS = { extract: true, recall: true, consolidate: true } as const satisfies Record<string, boolean>

export type DreamFlag = keyof typeof FLAGS

export interface DreamOptions {
  /** The data folder: `NACRE_HOME`, or what is customary on the platform. */
  readonly home?: string
  /** The project of the session, as its store has it; the folder that the session works in unless told. */
  readonly project?: string
  /** Where the logs of the project are; the files of the data folder unless told. */
  readonly store?: Store
  /** Dollars that extraction and dreams may cost in a day, over all sessions of the data folder; 2 unless told. */
  readonly dailyDollars?: number
  /** When a dream is due. */
  readonly due?: DreamDue
  /** A re-ranker by meaning, such as one of `@lat.md/embed`: gives a vector for each text. Words alone unless told. */
  readonly embed?: Embed
  /** For the times that are waited; tests pass their own. */
  readonly timer?: Timer
}

export interface DreamDue {
  /** Since the last dream; 24 unless told. */
  readonly hours?: number
  /** Sessions touched since then, without the one that asks; 5 unless told. */
  readonly sessions?: number
}

/** The options with their defaults. */
export interface Settings extends Omit<Required<DreamOptions>, 'home' | 'project' | 'store' | 'embed' | 'due'> {
  readonly home: string | undefined
  readonly project: string | undefined
  readonly store: Store | undefined
  readonly due: Required<DreamDue>
  readonly embed: Embed | undefined
}

const DAILY_DOLLARS = 2
const HOURS = 24
const SESSIONS = 5

/** Throws where an option makes no sense. */
export function readSettings(options: DreamOptions): Settings {
  const { dailyDollars = DAILY_DOLLARS, due: { hours = HOURS, sessions = SESSIONS } = {} } = options
  for (const [name, value] of Object.entries({ dailyDollars, hours, sessions })) {
    if (!(value >= 0)) throw new NacreError('INVALID_SETTINGS', `${name} has to be 0 or more; it is ${value}.`)
  }
  return {
    home: options.home,
    project: options.project,
    store: options.store,
    dailyDollars,
    due: { hours, sessions },
    embed: options.embed,
    timer: options.timer ?? realTimer,
  }
}

const realTimer: Timer = (milliseconds, fire) => {
  const handle = setTimeout(fire, milliseconds)
  return () => clearTimeout(handle)
}
