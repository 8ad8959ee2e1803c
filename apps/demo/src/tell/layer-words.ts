import type { Layer } from '../play/told.js'

interface Words {
  readonly name: string
  readonly package: string
  /** Why it is there, in a sentence. */
  readonly why: string
}

/** What each layer is called, who brings it, and why. */
export const layerWords: Readonly<Record<Layer, Words>> = {
  stored: {
    name: 'stored result',
    package: '@nacre/tools',
    why: 'A long result would be paid for with every request to come. The model sees both ends, and looks up the rest.',
  },
  cleared: {
    name: 'cleared results',
    package: '@nacre/compact',
    why: 'Old results are hardly read again. They go when that pays, and their lines keep the exact names in them.',
  },
  noted: {
    name: 'session notes',
    package: '@nacre/session-memory',
    why: 'A fork on the shared cache writes down how things stand, so that a summary is there before it is needed.',
  },
  free: {
    name: 'free compaction',
    package: '@nacre/session-memory',
    why: 'The window is full, and the notes stand for what they cover: nothing is asked, nobody waits.',
  },
  full: {
    name: 'full compaction',
    package: '@nacre/compact',
    why: 'The model sums up on its own cache. The summary is checked, and the files last worked with come back.',
  },
  undone: {
    name: 'undo',
    package: '@nacre/core',
    why: 'A compaction is an edit of the view. Taken back, the next request says what was said before, to the byte.',
  },
  digest: {
    name: 'digest',
    package: '@nacre/compact',
    why: 'No model can be reached, and a compaction can not fail: this one needs none.',
  },
  recalled: {
    name: 'recall',
    package: '@nacre/compact',
    why: 'Nothing was deleted. The model searches the log for what its view no longer has.',
  },
  resumed: {
    name: 'resume',
    package: '@nacre/core',
    why: 'All that was said is in the log before it counts. Another process goes on from there.',
  },
}
