import type { ModelSpec } from './model-spec.js'
import { MODELS } from './model-table.js'

/** A model of one's own: like one of the table, but for what is named. */
export type CustomModel = Partial<ModelSpec> & { readonly id: string; readonly like: string }

export type FindModel = (id: string) => ModelSpec | undefined

export interface ModelTable {
  readonly all: readonly ModelSpec[]
  readonly find: FindModel
}

/** The table with one's own models before it. */
export function modelTable(custom: readonly CustomModel[] = []): ModelTable {
  const known = new Map<string, ModelSpec>()
  const own: ModelSpec[] = []
  const learn = (spec: ModelSpec) => {
    for (const id of [spec.id, ...spec.aliases]) known.set(id, spec)
  }
  for (const spec of MODELS) learn(spec)
  for (const { like, ...changes } of custom) {
    const base = known.get(like)
    if (!base) {
      const names = [...known.keys()].join(', ')
      throw new Error(`The model '${changes.id}' is like '${like}', which is not known. Known: ${names}.`)
    }
    const spec = { ...base, displayName: changes.id, aliases: [], ...changes }
    own.push(spec)
    learn(spec)
  }
  return { all: [...own, ...MODELS], find: (id) => known.get(id) }
}
