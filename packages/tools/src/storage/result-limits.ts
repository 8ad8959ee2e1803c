import type { Json } from '@nacre/core'
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
