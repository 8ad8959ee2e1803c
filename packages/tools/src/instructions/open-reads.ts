import type { AssistantEntry, BlockRef, Id, View } from '@nacre/core'

/** A file that was read by a call whose result the model has not answered yet. */
export interface OpenRead {
  readonly call: Id
  readonly path: string
  readonly result: BlockRef
}

/**
 * The reads of the last answer, in the order of their calls, with where their results are. Those that failed have read
 * nothing.
 */
export function openReads(view: View): readonly OpenRead[] {
  const entries = view.rounds.at(-1)?.entries ?? []
  const at = entries.findLastIndex(({ kind }) => kind === 'assistant')
  const results = new Map<Id, BlockRef>()
  for (const { id, content } of entries.slice(at + 1)) {
    content.forEach(({ type, tool_use_id, is_error }, block) => {
      if (type === 'tool_result' && !is_error) results.set(String(tool_use_id), { entry: id, block })
    })
  }
  return pathsIn(entries[at] as AssistantEntry | undefined).flatMap(({ call, path }) => {
    const result = results.get(call)
    return result ? [{ call, path, result }] : []
  })
}

function pathsIn(answer: AssistantEntry | undefined): readonly Omit<OpenRead, 'result'>[] {
  return (answer?.content ?? []).flatMap(({ type, id, name, input }) => {
    const { file_path } = Object(input) as { readonly file_path?: unknown }
    const isRead = type === 'tool_use' && name === 'Read' && typeof file_path === 'string'
    return isRead ? [{ call: String(id), path: file_path }] : []
  })
}
