import type { AssistantEntry, BlockRef, Id, View } from '@nacre/core'

/** A file that was read by a call whose result the model has not answered yet. */
export interface OpenRead {
  readonly call: Id
  readonly path: string
  readonly result: BlockRef
}

/** The reads of the last answer, with where their results are; those that failed have read nothing. */
export function openReads(view: View): readonly OpenRead[] {
  const entries = view.rounds.at(-1)?.entries ?? []
  const at = entries.findLastIndex(({ kind }) => kind === 'assistant')
  const paths = pathsIn(entries[at] as AssistantEntry | undefined)
  return entries.slice(at + 1).flatMap(({ id, content }) =>
    content.flatMap(({ type, tool_use_id, is_error }, block) => {
      const path = paths.get(String(tool_use_id))
      if (type !== 'tool_result' || is_error || path === undefined) return []
      return [{ call: String(tool_use_id), path, result: { entry: id, block } }]
    }),
  )
}

function pathsIn(answer: AssistantEntry | undefined): ReadonlyMap<Id, string> {
  const calls = (answer?.content ?? []).flatMap(({ type, id, name, input }): (readonly [Id, string])[] => {
    const { file_path } = Object(input) as { readonly file_path?: unknown }
    return type === 'tool_use' && name === 'Read' && typeof file_path === 'string' ? [[String(id), file_path]] : []
  })
  return new Map(calls)
}
