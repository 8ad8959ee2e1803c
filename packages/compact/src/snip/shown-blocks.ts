import type { Block, MessageEntry, View } from '@nacre/core'

/** What the view shows of an entry: where a block was replaced or redacted, what stands in its place. */
export function shownBlocks(view: View, { id, content }: MessageEntry): readonly Block[] {
  return content.flatMap((_, block) => view.shown({ entry: id, block }))
}
