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
  const all: ModelSpec[] = []
  const add = (spec: ModelSpec) => {
    all.push(spec)
    for (const id of [spec.id, ...spec.aliases]) known.set(id, spec)
  }
  for (const spec of MODELS) add(spec)
  for (const { like, ...own } of custom) {
    const base = known.get(like)
    if (!base) throw new Error(`The model '${own.id}' is like '${like}', which is not known. Known: ${[...known.keys()].join(', ')}.`)
    add({ ...base, displayName: own.id, ...own, aliases: own.aliases ?? [] })
  }
  return { all: all.reverse(), find: (id) => known.get(id) }
}
