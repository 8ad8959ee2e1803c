import type { Tool, ToolResult } from '@nacre/core'
import type { ModelTurn, ReplyBlock, SimulatedModel } from '@nacre/simulator'

/** What a model does next: each item is the calls of one response, or its last words. */
export type Step = string | readonly ReplyBlock[]

/** Answers the main conversation step by step, whatever was asked; other sources get their own words. */
export function stepping(
  steps: readonly Step[],
  other: (turn: ModelTurn) => string = () => 'Nothing.',
): SimulatedModel {
  let next = 0
  return (turn) => {
    if (turn.source !== 'main') return other(turn)
    const step = steps[next++] ?? 'Done.'
    return typeof step === 'string' ? [step] : [...step]
  }
}

export function run(command: string, id: string): ReplyBlock {
  return { type: 'tool_use', id, name: 'Run', input: { command } }
}

export function snipCall(input: { from: string; to?: string; reason: string }, id = 'toolu_snip'): ReplyBlock {
  return { type: 'tool_use', id, name: 'Snip', input }
}

/** A tool that answers by a list, then with the last of it for ever; `fail:` at the start is a failure. */
export function runTool(results: readonly string[]): Tool<object> {
  let next = 0
  return {
    name: 'Run',
    description: 'Runs a command.',
    schema: { json: { type: 'object' }, parse: (input) => Object(input) },
    isReadOnly: () => false,
    isConcurrencySafe: () => false,
    run: (): ToolResult => {
      const text = results[Math.min(next++, results.length - 1)] ?? 'ok'
      const content = [{ type: 'text', text: text.replace(/^fail:/, '') }]
      return text.startsWith('fail:') ? { content, isError: true } : { content }
    },
  }
}

export const long = (word: string, count = 800): string => Array.from({ length: count }, () => word).join(' ')

/** The texts of the last request to the main conversation, as one. */
export function lastRequest(requests: readonly { readonly source: string; readonly body: string }[]): string {
  return requests.findLast(({ source }) => source === 'main')?.body ?? ''
}
