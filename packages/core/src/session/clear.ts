import { coreState } from '../log/core-state.js'
import type { Edit } from '../log/edit.js'
import { composeEpoch } from '../prompt/compose-epoch.js'
import { rewindTo } from './rewind.js'
import type { Runtime } from './runtime.js'
import { tellEdit } from './tell-edit.js'

/** Begins anew, with sections and tools as they are now; the log keeps what was. */
export async function clear(runtime: Runtime): Promise<Edit | undefined> {
  const { conversation, kit, compositions, hooks } = runtime
  const first = conversation.projection.timeline.rounds[0]?.entries[0]
  if (!first) return undefined
  const composition = await composeEpoch(kit.sections(), kit.tools())
  compositions.add(composition)
  const edit = await rewindTo(conversation, first.id, composition.epoch)
  await conversation.append(coreState('epoch', composition))
  await tellEdit(runtime, edit)
  await hooks.collect('SessionStart', { source: 'clear' })
  return edit
}
