import type { Change } from '../log/edit.js'
import type { BlockRef } from '../log/entry.js'
import { blockPath } from '../request/block-path.js'
import type { Sent } from './requests.js'
import type { Runtime } from './runtime.js'
import type { Dropped } from './status.js'

/** What the server did not read is not sent again. */
export async function takeOutDropped({ status, told, view }: Runtime): Promise<void> {
  const dropped = status.dropped ? refsOf(status.dropped) : []
  status.dropped = undefined
  const shown = dropped.filter((target) => view().shows(target) === 'whole')
  const changes = shown.map((target): Change => ({ kind: 'replace', target, content: [] }))
  if (changes.length === 0) return
  await told.edit({ owner: 'core', reason: 'thinking that the server left out', changes })
}

/** Some servers name blocks, others places in the request. */
function refsOf({ sent, end }: Dropped): readonly BlockRef[] {
  return [...end.thinkingDropped, ...(end.droppedPaths ?? []).flatMap((path) => refAt(sent, path))]
}

function refAt({ messages }: Sent, path: string): readonly BlockRef[] {
  const place = blockPath(path)
  const ref = place && messages[place.message]?.blocks[place.block]?.ref
  return ref ? [ref] : []
}
