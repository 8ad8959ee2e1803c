import { z } from 'zod'
import { errorSchema, exitCodeSchema, noticeSchema, receiptSchema, totalsSchema } from './shared-schemas.js'
import { OUTPUT_VERSION } from './version.js'

/** A call that did not run. */
const denialSchema = z.object({
  tool: z.string(),
  input: z.json(),
  reason: z.string(),
  rule: z.string().optional().describe('What --allowed-tools needs for it, where a question went unanswered.'),
})

/** What came of one prompt. */
export const resultSchema = z.object({
  version: z.literal(OUTPUT_VERSION),
  type: z.literal('result'),
  session: z.string().nullable().describe('For --resume; null where no session could be opened.'),
  end: z.enum(['done', 'aborted', 'blocked', 'refused', 'max-turns', 'budget', 'error']),
  result: z.string().describe('The text of the last answer.'),
  error: errorSchema.nullable(),
  turns: z.int().nonnegative().describe('Turns that were begun.'),
  milliseconds: z.number().nonnegative(),
  usage: totalsSchema.describe('Since the prompt, with all that was asked beside the conversation.'),
  sessionDollars: z.number().nonnegative().describe('All that the session has cost, earlier runs too.'),
  denials: z.array(denialSchema).describe('Calls that were kept from running.'),
  receipts: z.array(receiptSchema).describe('Compactions.'),
  notices: z.array(noticeSchema),
  exitCode: exitCodeSchema,
})

export type Denial = z.infer<typeof denialSchema>
export type Result = z.infer<typeof resultSchema>
