import { z } from 'zod'

const tokens = z.int().nonnegative()

/** Tokens by price class and what they cost. */
export const usageSchema = z.object({
  input: tokens.describe('Tokens that were neither read from the cache nor written to it.'),
  output: tokens,
  cacheRead: tokens,
  cacheWrite5m: tokens,
  cacheWrite1h: tokens,
  dollars: z.number().nonnegative(),
})

/** Usage of more than one request. */
export const totalsSchema = usageSchema.extend({ requests: tokens.describe('Requests that were answered.') })

/** Blocks as the Messages API has them. */
export const blockSchema = z.looseObject({ type: z.string() })

export const callSchema = z.object({ id: z.string(), name: z.string(), input: z.json() })

export const errorSchema = z.object({
  code: z.string().describe('A name that does not change, such as OVERLOADED.'),
  message: z.string(),
  plugin: z.string().optional().describe('The plugin at fault, where one is.'),
})

export const noticeSchema = z.object({
  level: z.enum(['info', 'warning', 'error']),
  owner: z.string().describe('The plugin, or nacre.'),
  text: z.string(),
})

/** What one compaction did. */
export const receiptSchema = z.object({
  trigger: z.enum(['auto', 'manual', 'overflow']),
  rung: z.enum(['erase', 'clear', 'notes', 'summary', 'digest']),
  undo: z.string().describe('The edit that `nacre undo` takes back.'),
  tokens: z.object({ before: z.number(), after: z.number() }),
  messages: z.object({ folded: tokens, kept: tokens, dropped: tokens }),
  dollars: z.object({ spent: z.number(), rewrite: z.number() }),
  restored: z.array(z.object({ what: z.string(), status: z.string(), owner: z.string(), tokens: z.number() })),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string().optional() })),
})

export const exitCodeSchema = z.union([0, 1, 2, 3, 4, 5, 130].map((code) => z.literal(code)))
