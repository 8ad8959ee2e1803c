import type { Id, Json } from '../log/entry.js'

/** What a checkpoint keeps so that nothing before it has to be read. */
export interface CheckpointValue {
  readonly from: Id
  readonly edit: Id
  /** The first entry of the whole log. */
  readonly first: Id
  readonly states?: readonly { readonly owner: string; readonly key: string; readonly value: Json }[]
}
