import type { Json, Tool, ToolCall } from '@nacre/core'
import { z } from 'zod'

/** What may enter the context whole. */
export interface ResultLimits {
  /** Characters of one result, where its tool has no limit of its own. */
  readonly result: number
  /** Characters of one result, by the name of its tool: above what the tool itself says. */
  readonly tools: Readonly<Record<string, number>>
  /** Characters of all results of one message together. */
  readonly message: number
  /** Characters of all texts of one prompt together. */
  readonly prompt: number
  /** Estimated tokens that no result may exceed, whatever its tool allows. */
  readonly tokens: number
  /** Bytes of a preview, about. */
  readonly preview: number
}

const DEFAULTS: ResultLimits = {
  result: 50_000,
  tools: {},
  message: 200_000,
  prompt: 200_000,
  tokens: 100_000,
  preview: 2_000,
}

const amount = z.custom<number>((value) => typeof value === 'number' && value >= 0, 'has to be a number from 0 up')

/** What may be given in place of the usual limits. */
export const limitsSchema = z
  .strictObject({
    result: amount,
    tools: z.record(z.string(), amount),
    message: amount,
    prompt: amount,
    tokens: amount,
    preview: amount,
  })
  .partial()

/** The limits in force: the usual ones, over them what the program says, over that what a person has set. */
export function limitsInForce(given: unknown, set: Json | undefined): ResultLimits {
  const program = limitsSchema.parse(given ?? {})
  const person = limitsSchema.parse(set ?? {})
  return { ...DEFAULTS, ...program, ...person, tools: { ...program.tools, ...person.tools } } as ResultLimits
}

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
