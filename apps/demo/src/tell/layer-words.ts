import type { Layer } from '../play/told.js'

interface Words {
  readonly name: string
  readonly package: string
  /** Why it is there, for somebody who has never heard of it. */
  readonly why: string
}

/** What each layer is called, who brings it, and why. */
export const layerWords: Readonly<Record<Layer, Words>> = {
  stored: {
    name: 'stored result',
    package: '@nacre/tools',
    why: 'A long result would be paid for again with every request. The model sees how it begins and ends, and can look up the rest.',
  },
  cleared: {
    name: 'cleared results',
    package: '@nacre/compact',
    why: 'Results that are long past make way once that is cheaper than to send them with every request.',
  },
  noted: {
    name: 'session notes',
    package: '@nacre/session-memory',
    why: 'A side conversation, which shares the cache of the main one, writes down how things stand. So a summary is there before it is needed.',
  },
  free: {
    name: 'notes compaction',
    package: '@nacre/session-memory',
    why: 'The window is nearly full. The notes take the place of the messages that they cover, and no model has to be asked.',
  },
  full: {
    name: 'full compaction',
    package: '@nacre/compact',
    why: 'The model writes a summary, from the cache. The summary is checked, and the files last worked with come back into view.',
  },
  undone: {
    name: 'undo',
    package: '@nacre/core',
    why: 'A compaction changes what the model sees, never the log. Once it is taken back, the next request repeats all that was said before it, to the byte.',
  },
  digest: {
    name: 'digest',
    package: '@nacre/compact',
    why: 'No model can be reached, so the log itself has to yield what stays in view.',
  },
  recalled: {
    name: 'recall',
    package: '@nacre/compact',
    why: 'Nothing was deleted. The model searches the log for what it no longer sees.',
  },
  resumed: {
    name: 'resume',
    package: '@nacre/core',
    why: 'The log is on disk as the work goes on, so another process can take it up where the first one died.',
  },
}
