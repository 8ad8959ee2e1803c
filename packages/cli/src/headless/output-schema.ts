import { z } from 'zod'

/** The version of what `--output-format json` and `stream-json` print. It changes when a field goes or changes its meaning. */
export const OUTPUT_VERSION = 1

const version = z.literal(OUTPUT_VERSION)
const source = z.string().describe('Who asked: main, compact, session_memory and others.')

const tokens = z.int().nonnegative()

/** Tokens by price class and what they cost. */
const usageSchema = z.object({
  input: tokens.describe('Tokens that were neither read from the cache nor written to it.'),
  output: tokens,
  cacheRead: tokens,
  cacheWrite5m: tokens,
  cacheWrite1h: tokens,
  dollars: z.number().nonnegative(),
})

/** Usage of more than one request. */
const totalsSchema = usageSchema.extend({ requests: tokens.describe('Requests that were answered.') })

const exitCodeSchema = z.union([0, 1, 2, 3, 4, 5, 130].map((code) => z.literal(code)))

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

/** Blocks as the Messages API has them. */
const blockSchema = z.looseObject({ type: z.string() })

const callSchema = z.object({ id: z.string(), name: z.string(), input: z.json() })

/** What one compaction did. */
const receiptSchema = z.object({
  trigger: z.enum(['auto', 'manual', 'overflow']),
  rung: z.enum(['erase', 'clear', 'notes', 'summary', 'digest']),
  undo: z.string().describe('The edit that `nacre undo` takes back.'),
  tokens: z.object({ before: z.number(), after: z.number() }),
  messages: z.object({ folded: tokens, kept: tokens, dropped: tokens }),
  dollars: z.object({ spent: z.number(), rewrite: z.number() }),
  restored: z.array(
    z.object({
      what: z.string(),
      status: z.string(),
      owner: z.string(),
      tokens: z.number(),
      cut: z.string().optional().describe('What of it came back, where it was cut.'),
    }),
  ),
  leftOut: z
    .array(z.object({ what: z.string(), owner: z.string(), why: z.string() }))
    .describe('What could have come back and did not.'),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string().optional() })),
})

const noticeSchema = z.object({
  level: z.enum(['info', 'warning', 'error']),
  owner: z.string().describe('The plugin, or nacre.'),
  text: z.string(),
})

const deniedSchema = z
  .object({
    by: z
      .string()
      .describe('plugin, tool, person, nobody, task, unknown, input or interruption: who kept the call from running.'),
    name: z.string().optional().describe('Of the plugin or the tool.'),
    reason: z.string().describe('What the model reads.'),
  })
  .describe('Only of a call that did not run: it has no tool-start.')

const eventLines = [
  z.object({
    version,
    type: z.literal('outdated'),
    changes: z.object({
      sections: z.array(z.string()),
      tools: z.object({ added: z.array(z.string()), gone: z.array(z.string()), changed: z.array(z.string()) }),
    }),
  }),
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
    denied: deniedSchema.optional(),
  }),
  z.object({ version, type: z.literal('recovery'), kind: z.string(), attempt: z.int(), reason: z.string() }),
  z.object({
    version,
    type: z.literal('edit'),
    id: z.string(),
    owner: z.string(),
    reason: z.string(),
    changes: z.array(z.enum(['replace', 'fold', 'drop', 'insert', 'erase', 'revert', 'renew'])),
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
  z.object({
    version,
    type: z.literal('threshold'),
    name: z.enum(['warning', 'error', 'block']),
    tokens: z.number(),
    limit: z.number(),
  }),
] as const

const errorSchema = z.object({
  code: z.string().describe('A name that does not change, such as OVERLOADED.'),
  message: z.string(),
  plugin: z.string().optional().describe('The plugin at fault, where one is.'),
})

/** A call that did not run. */
const denialSchema = z.object({
  tool: z.string(),
  input: z.json(),
  by: z.string().optional().describe('As in tool-end.'),
  reason: z.string(),
  rule: z.string().optional().describe('What --allowed-tools needs for it, where a question went unanswered.'),
})

/** What came of one prompt. */
const resultSchema = z.object({
  version: z.literal(OUTPUT_VERSION),
  type: z.literal('result'),
  session: z.string().nullable().describe('For --resume; null where no session could be opened.'),
  end: z.enum(['done', 'aborted', 'blocked', 'refused', 'max-turns', 'max-tokens', 'budget', 'error']),
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

export const lineSchema = z.discriminatedUnion('type', [startLine, ...eventLines, resultSchema, endLine])

export type Line = z.infer<typeof lineSchema>

export type Denial = z.infer<typeof denialSchema>
export type Result = z.infer<typeof resultSchema>

/**
 * The schema of a line of `stream-json`; what `json` prints is the one with the type `result`. It lets fields pass that
 * it does not know: a later program may print more, and whoever checks by this one has to go on.
 */
export function outputJsonSchema(): object {
  return {
    ...z.toJSONSchema(lineSchema, { io: 'input', target: 'draft-7' }),
    title: 'Output of nacre --print',
    description: 'A line of --output-format stream-json. The object of --output-format json has the type "result".',
  }
}
