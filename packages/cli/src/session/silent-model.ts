import { type Model, resolveModel } from '@nacre/core'

/** For commands that ask no model: it only says which window and which rules a session has. */
export function silentModel(name = 'claude-opus-5-5'): Model {
  return {
    info: { ...resolveModel(name), warnings: [] } as Model['info'],
    // biome-ignore lint/correctness/useYield: it never says anything
    async *stream() {
      throw new Error('No model is asked by this command.')
    },
  }
}
