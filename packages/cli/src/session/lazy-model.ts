import type { Model, ModelInfo } from '@nacre/core'

/** A model whose client is loaded with the first request: a start does not wait for it. */
export interface LazyModel<Info extends ModelInfo> extends Model {
  readonly info: Info
  /** Loads it before it is needed. What fails then fails again with the first request, where somebody hears of it. */
  warm(): void
}

export function lazyModel<Info extends ModelInfo>(info: Info, load: () => Promise<Model>): LazyModel<Info> {
  let loaded: Promise<Model> | undefined
  const model = () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
  return {
    info,
    warm: () => void model().catch(() => undefined),
    async *stream(request, signal) {
      yield* (await model()).stream(request, signal)
    },
    async count(request, signal) {
      const { count } = await model()
      if (!count) throw new Error(`${info.id} can not count tokens.`)
      return count(request, signal)
    },
  }
}
