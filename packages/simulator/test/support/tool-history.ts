import { asked, type BetaMessageParam } from './thinking.js'

export interface PastCall {
  readonly name: string
  readonly result: string
  readonly input?: Readonly<Record<string, string>>
}

/** The tools that past calls may name. */
export const pastTools = ['read', 'find'].map((name) => ({ name, input_schema: { type: 'object' as const } }))

/** A prompt, then calls and their results, one after the other. */
export function toolHistory(calls: readonly PastCall[], prompt = 'Go'): BetaMessageParam[] {
  return [
    asked(prompt),
    ...calls.flatMap(({ name, result, input = { path: `${name}/${result.length}` } }, index): BetaMessageParam[] => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${index}`, name, input }] },
      asked([{ type: 'tool_result', tool_use_id: `toolu_${index}`, content: result }]),
    ]),
  ]
}
