import type { CallFields } from '../contract/model.js'
import type { View } from '../contract/view.js'
import { coreState } from '../log/core-state.js'
import type { Conversation } from './conversation.js'
import type { Latched, Status } from './status.js'

/** Fields that are part of the cache's key without being blocks. */
const KEYS: ReadonlySet<string> = new Set(['betas', 'output_config', 'speed', 'thinking', 'tool_choice'])

/** The fields of a request, with those that the session began with as they were, whatever a hook would like now. */
export async function latch(
  { status, view, conversation }: { status: Status; view(): View; conversation: Conversation },
  extra: CallFields['extra'] = {},
): Promise<Latched> {
  status.latched ??= view().state('core', 'latched') as Latched | undefined
  if (!status.latched) {
    status.latched = only(extra, (key) => KEYS.has(key))
    await conversation.append(coreState('latched', status.latched))
  }
  return { ...only(extra, (key) => !KEYS.has(key)), ...status.latched }
}

function only(fields: Latched, wanted: (key: string) => boolean): Latched {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => wanted(key)))
}
