import { EARLIER } from './earlier.js'
import { ENVIRONMENT } from './environment.js'
import { ESCAPES } from './escapes.js'
import { NAMED_IN_ISSUE } from './issue.js'
import { KEYS } from './keys.js'
import { PROCESSES } from './processes.js'
import { RUNNING_LATER } from './running-later.js'
import { SESSIONS } from './sessions.js'
import { SOCKETS } from './sockets.js'
import { STRANGER } from './stranger.js'
import { SYSTEM_CALLS } from './system-calls.js'
import type { TrickGroup } from './trick.js'
import { WRITING_OUTSIDE } from './writing-outside.js'

const GROUPS: readonly TrickGroup[] = [
  ...NAMED_IN_ISSUE,
  ...WRITING_OUTSIDE,
  ...RUNNING_LATER,
  ...KEYS,
  ...ENVIRONMENT,
  ...SOCKETS,
  ...PROCESSES,
  ...SYSTEM_CALLS,
  ...ESCAPES,
  ...SESSIONS,
  ...EARLIER,
  ...STRANGER,
]

const seen = new Set<string>()

/** Every trick, each once. */
export const ALL_TRICKS: readonly TrickGroup[] = GROUPS.map((group) => ({
  ...group,
  commands: group.commands.filter((command) => !seen.has(command) && seen.add(command)),
}))
