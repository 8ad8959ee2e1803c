/** What is checked of a plugin, by name. */
export const CHECKS = {
  starts: 'a session with the plugin starts',
  accepted: 'every request keeps the rules of the API: pairs, roles, fields',
  'last-prompt': 'the last prompt of the person is whole in every request',
  'frozen-prefix': 'a request extends the one before it to the byte, up to where an edit was made',
  'never-grows': 'an edit of what was sent before never makes the view larger',
  'off-adds-nothing': 'switched off, the plugin adds nothing',
  'sessions-apart': 'two sessions with the same plugin share no state',
  'goes-on': 'a session goes on after an abort and after a fault',
  disposes: 'the plugin can be disposed, also twice',
  resumes: 'a session that is closed and resumed sends what it would have sent',
  'hooks-hold': 'no hook fails where nothing was disturbed',
} as const

export type CheckName = keyof typeof CHECKS

/** Something that a plugin did not hold, with what it takes to see it again. */
export interface Finding {
  readonly check: CheckName
  /** `pluginConformance({ ..., seed, runs: 1 })` plays this very conversation again. */
  readonly seed: number
  /** What was done with the conversation: left alone, interrupted, resumed, struck by a fault … */
  readonly play: string
  /** The step of the conversation, from 0. */
  readonly step: number
  readonly detail: string
}

/** A finding before it is known where it was made. */
export type Problem = Pick<Finding, 'check' | 'step' | 'detail'>

export interface ConformanceReport {
  readonly findings: readonly Finding[]
  /** How many conversations were generated. */
  readonly runs: number
  /** How many requests went over the socket. */
  readonly requests: number
}
