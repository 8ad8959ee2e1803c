import type { Tool, ToolCall } from '@nacre/core'
import type { ResultLimits } from './result-limits.js'

/** What is known of the tools of a session: hooks about results do not name the tool, those before the call do. */
export interface ToolLimits {
  learn(tool: Tool): void
  isKnown(name: string): boolean
  /** Characters that a result of the call may have. `Infinity`: it is never put away. */
  of(call: ToolCall, limits: ResultLimits): number
}

export function createToolLimits(): ToolLimits {
  const own = new Map<string, number | undefined>()
  return {
    learn: ({ name, maxResultChars }) => void own.set(name, maxResultChars),
    isKnown: (name) => own.has(name),
    of(call, limits) {
      const declared = own.get(call.name)
      // What reads files would read the stored file next: to store that in turn would lead nowhere.
      if (declared === Number.POSITIVE_INFINITY || isWholeRead(call)) return Number.POSITIVE_INFINITY
      return limits.tools[call.name] ?? declared ?? limits.result
    },
  }
}

/** Who asks for a whole file by a tool of this name gets it, whoever made the tool. */
function isWholeRead({ name, input }: ToolCall): boolean {
  const { offset, limit } = Object(input) as { readonly offset?: unknown; readonly limit?: unknown }
  return name === 'Read' && offset === undefined && limit === undefined
}
