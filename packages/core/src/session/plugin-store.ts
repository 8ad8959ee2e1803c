import type { SessionStore } from '../contract/store.js'
import type { Entry, NoticeEntry, StateEntry } from '../log/entry.js'
import { NacreError } from '../nacre-error.js'
import type { Conversation } from './conversation.js'

/**
 * A session's store as plugins have it. What they append goes through the conversation, so that the view knows of it;
 * messages and edits are not theirs to write. It belongs to its session, which closes it.
 */
export function pluginStore(store: SessionStore, conversation: () => Conversation | undefined): SessionStore {
  return {
    async append(batch) {
      const open = conversation()
      if (!open)
        throw new NacreError('STORE_UNWRITABLE', 'The session has not started yet: write in a hook, not in setup.')
      await open.append(...batch.map(checked))
    },
    read: (from) => store.read(from),
    put: (name, data) => store.put(name, data),
    get: (blob, range) => store.get(blob, range),
    close: async () => undefined,
  }
}

function checked(entry: Entry): StateEntry | NoticeEntry {
  if (entry.kind === 'state' || entry.kind === 'notice') return entry
  throw new NacreError('EDIT_REFUSED', `A plugin can not write '${entry.kind}' entries: propose a draft instead.`)
}
