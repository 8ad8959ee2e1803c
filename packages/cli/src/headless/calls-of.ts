import type { Block } from '@nacre/core'
import type { Denial } from './schema/result-schema.js'

export interface Call {
  readonly id: string
  readonly name: string
  readonly input: Denial['input']
}

/** The calls that an answer asks for. */
export function callsOf(content: readonly Block[]): readonly Call[] {
  return content
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({ id: String(id), name: String(name), input: (input ?? null) as Denial['input'] }))
}
