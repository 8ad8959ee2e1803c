import { z } from 'zod'
import { resultSchema } from './result-schema.js'
import {
  blockSchema,
  callSchema,
  exitCodeSchema,
  noticeSchema,
  receiptSchema,
  totalsSchema,
  usageSchema,
} from './shared-schemas.js'
import { OUTPUT_VERSION } from './version.js'

const version = z.literal(OUTPUT_VERSION)
const source = z.string().describe('Who asked: main, compact, session_memory and others.')

/** The first line. */
const startLine = z.object({
  version,
  type: z.literal('start'),
  session: z.string(),
  model: z.string(),
  cwd: z.string(),
  offline: z.boolean(),
  notices: z.array(z.string()).describe('What was taken for granted, or left out and why.'),
})

/** The last line: the whole run, with what was done after the last answer. */
const endLine = z.object({
  version,
  type: z.literal('end'),
  session: z.string().nullable(),
  queries: z.int().nonnegative(),
  usage: totalsSchema,
  exitCode: exitCodeSchema,
})

const eventLines = [
  z.object({ version, type: z.literal('turn-start'), turn: z.int().positive() }),
  z.object({ version, type: z.literal('delta'), index: z.int().nonnegative(), block: blockSchema }),
  z.object({
    version,
    type: z.literal('response'),
    id: z.string(),
    model: z.string(),
    content: z.array(blockSchema),
    usage: usageSchema,
    stop: z.string(),
  }),
  z.object({ version, type: z.literal('tool-start'), call: callSchema }),
  z.object({ version, type: z.literal('tool-progress'), call: z.string(), text: z.string() }),
  z.object({
    version,
    type: z.literal('tool-end'),
    call: z.string(),
    content: z.array(blockSchema),
    isError: z.boolean(),
  }),
  z.object({ version, type: z.literal('recovery'), kind: z.string(), attempt: z.int(), reason: z.string() }),
  z.object({
    version,
    type: z.literal('edit'),
    id: z.string(),
    owner: z.string(),
    reason: z.string(),
    changes: z.array(z.enum(['replace', 'fold', 'drop', 'insert', 'erase', 'revert'])),
    freed: z.number(),
    dollars: z.number(),
  }),
  z.object({ version, type: z.literal('receipt'), receipt: receiptSchema }),
  z.object({
    version,
    type: z.literal('relief'),
    verdict: z.enum(['taken', 'declined', 'void', 'refused', 'failed', 'vetoed', 'stopped']),
    reason: z.string(),
    pressure: z.string(),
    owner: z.string().optional(),
    rung: z.string().optional(),
  }),
  z.object({ version, type: z.literal('usage'), source, usage: usageSchema }),
  z.object({ version, type: z.literal('fork-progress'), source, characters: z.number() }),
  z.object({ version, type: z.literal('fork-end'), source }),
  z.object({
    version,
    type: z.literal('cache-break'),
    cause: z.string(),
    owner: z.string(),
    what: z.string(),
    tokens: z.number(),
    dollars: z.number(),
  }),
  z.object({ version, type: z.literal('notice'), notice: noticeSchema }),
] as const

export const lineSchema = z.discriminatedUnion('type', [startLine, ...eventLines, resultSchema, endLine])

export type Line = z.infer<typeof lineSchema>
