import type { Tool, ToolContext, ToolResult } from '../../src/types/tool.js'

interface Run {
  readonly id: string
  /** The tool and its input. */
  readonly key: string
}

export interface CountedTools {
  readonly tools: readonly Tool[]
  readonly runs: readonly Run[]
  /** The most that ever ran side by side. */
  most(): number
}

interface Kind {
  readonly isReadOnly: boolean
  readonly isSafe: boolean
}

const KINDS: Readonly<Record<string, Kind>> = {
  look: { isReadOnly: true, isSafe: true },
  fetch: { isReadOnly: false, isSafe: true },
  write: { isReadOnly: false, isSafe: false },
}

export type Work = (input: { readonly what: string }, context: ToolContext) => Promise<ToolResult>

/** Tools that count their runs: `look` may start early, `fetch` in company, `write` alone. */
export function countedTools(work: Work = async ({ what }) => textResult(`content of ${what}`)): CountedTools {
  const runs: Run[] = []
  let running = 0
  let most = 0
  const make = (name: string, { isReadOnly, isSafe }: Kind): Tool => ({
    name,
    description: `Does ${name}.`,
    schema: { json: { type: 'object', properties: { what: { type: 'string' } } }, parse: (input) => input },
    isReadOnly: () => isReadOnly,
    isConcurrencySafe: () => isSafe,
    async run(input, context) {
      runs.push({ id: context.callId, key: `${name} ${(input as { what: string }).what}` })
      running += 1
      most = Math.max(most, running)
      try {
        return await work(input as { what: string }, context)
      } finally {
        running -= 1
      }
    },
  })
  return { tools: Object.entries(KINDS).map(([name, kind]) => make(name, kind)), runs, most: () => most }
}

export function textResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }] }
}
