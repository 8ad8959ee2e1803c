import type { Receipt } from '@nacre/core'

/** What can happen to a conversation in this demo, in the order in which it is shown. */
export const LAYERS = [
  'stored',
  'cleared',
  'noted',
  'free',
  'full',
  'undone',
  'digest',
  'recalled',
  'resumed',
  'extracted',
  'remembered',
  'dreamt',
  'restored',
  'forked',
  'written',
  'ended',
  'followed',
] as const
export type Layer = (typeof LAYERS)[number]

/** Something that a layer did. */
export interface Firing {
  readonly layer: Layer
  /** Requests of the conversation that had been sent by then. */
  readonly request: number
  /** Tokens that the next request has less, by the count of the runtime. */
  readonly freed: number
  /** What it cost: a model call, and what had to be written to the cache again. */
  readonly dollars: number
  /** The share of the input that was read from the cache, where a model was asked. */
  readonly fromCache?: number
  /** Model calls that it took the place of. */
  readonly callsAvoided: number
  /** What happened and why, for people. */
  readonly text: string
  readonly receipt?: Receipt
}

/** One request of the conversation as it was billed. */
export interface Point {
  readonly request: number
  readonly tokens: number
  /** Dollars so far, with what was asked beside the conversation. */
  readonly dollars: number
}

/** How the work went in one setting. */
export interface Run {
  readonly name: string
  readonly window: number
  readonly points: readonly Point[]
  /** The largest request. */
  readonly peak: number
  readonly requests: number
  readonly dollars: number
  /** The part of it that was not for the conversation itself: here, for notes. */
  readonly beside: number
  /** The share of all input that was read from the cache. */
  readonly hitRate: number
  /** Requests that the API refused. */
  readonly failed: number
  /** What was said when the work could not go on; none where it was done. */
  readonly refusal?: string
  /** Whether the tests of the shop pass now. */
  readonly isFixed: boolean
}

/** Everything that the demo claims. The object of `--json`. */
export interface Outcome {
  readonly version: 1
  readonly model: string
  /** The work with all layers; then what a person did with it by hand. */
  readonly story: Run
  readonly firings: readonly Firing[]
  readonly byHand: ByHand
  readonly memory: LongTermMemory
  readonly agents: AgentsAtWork
  /** The same work without any layer, in the same window. */
  readonly without: Run
  /** The same work in a window that holds it: without layers, then with one after the other. */
  readonly large: readonly Run[]
}

/** What was seen of acts that no bill shows. */
export interface ByHand {
  /** Whether the request after the undo said all that was said before the compaction, to the byte. */
  readonly isUndone: boolean
  /** Whether the view had nothing more of what was then asked for. */
  readonly isOutOfView: boolean
  /** What the model quoted once it had looked it up. */
  readonly recalled: string
  /** Requests of the process that was killed, and how many of them came back from the log to the byte. */
  readonly killed: { readonly sent: number; readonly same: number }
  /** What `nacre verify` found of the session at the end. */
  readonly verified: { readonly isWhole: boolean; readonly requests: string }
}

/** What was seen of memories that outlive a session. */
export interface LongTermMemory {
  /** What was extracted, and the words of the person that it rests on. */
  readonly extracted: readonly { readonly statement: string; readonly quote: string }[]
  /** Whether the next session's request for a prompt that a memory fits has it, and the one for another prompt has not. */
  readonly isBroughtBack: boolean
  readonly isLeftOut: boolean
  readonly dream: {
    /** What it told the person. */
    readonly receipt: string
    /** Memories that became part of another one. */
    readonly merged: number
    /** Why changes wait in the inbox. */
    readonly waiting: readonly string[]
    /** Facts before it, and how many of them are in use or in the archive after it, word for word. */
    readonly facts: number
    readonly kept: number
  }
  /** Files of the memory folder before the dream, how many it changed, and how many are the same bytes after the undo. */
  readonly undo: { readonly files: number; readonly changed: number; readonly same: number }
}

/** What was seen of sub-agents. */
export interface AgentsAtWork {
  /** Two that were started at once, from one conversation. */
  readonly forks: readonly AgentBill[]
  /** A message to an agent that runs in the background. */
  readonly message: {
    /** Its request with the words of the message, by number; 0 where no request has them. */
    readonly heardAt: number
    /** What it wrote back, as a request of the conversation has it. */
    readonly reply: string
  }
  /** One that did not get done in time. */
  readonly late: {
    readonly bill: AgentBill
    /** Milliseconds that it was given, and that it had. */
    readonly deadline: number
    readonly lived: number
    /** What it left. */
    readonly result: string
  }
  /** The one in the background, which runs while its conversation is compacted. */
  readonly followed: {
    readonly bill: AgentBill
    /** Whether the call that started it was in the request before the compaction and not in the one after it. */
    readonly isStartFolded: boolean
    /** Whether the request after it named the agent as running. */
    readonly isNamed: boolean
    /** How often the conversation asked for one of this name in all. */
    readonly starts: number
    /** What the conversation read of it in the end, and whether the log has it as read. */
    readonly result: string
    readonly isRead: boolean
  }
}

/** An agent as it was billed, in tokens and dollars. */
export interface AgentBill {
  readonly name: string
  readonly requests: number
  readonly read: number
  readonly written: number
  /** What was neither read from the cache nor written to it. */
  readonly input: number
  readonly dollars: number
  /** What the session itself counted for it. */
  readonly counted: number
}

/** What came of the work with a real model. What it does is its own affair, so nothing is expected of it. */
export interface Live {
  readonly version: 1
  readonly model: string
  readonly firings: readonly Firing[]
  readonly requests: number
  readonly dollars: number
  readonly hitRate: number
  readonly refusal?: string
  readonly isFixed: boolean
}

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
  extracted: {
    name: 'memory extracted',
    package: '@nacre/dream',
    why: 'What will matter in later sessions is saved beside the conversation, on its cache. Each fact rests on words that the person said; rules, not the model, decide whether it is kept.',
  },
  remembered: {
    name: 'memory recalled',
    package: '@nacre/dream',
    why: 'A later session knows nothing of an earlier one. What fits a prompt comes with it, found without a model; what does not fit costs nothing.',
  },
  dreamt: {
    name: 'dream',
    package: '@nacre/dream',
    why: 'The model drafts how memories could be in better order. Every fact has to be accounted for, and what contradicts itself is for the person to decide.',
  },
  restored: {
    name: 'memory undo',
    package: '@nacre/dream',
    why: 'Every change of memories is a commit in a git repository, and can be taken back.',
  },
  forked: {
    name: 'forks',
    package: '@nacre/agents',
    why: 'Agents that build on the same conversation share its cache. The first one writes the end of it once; the others read it.',
  },
  written: {
    name: 'message',
    package: '@nacre/agents',
    why: 'An agent that runs can be told something. It hears it at its next tool round, and can write back.',
  },
  ended: {
    name: 'deadline',
    package: '@nacre/agents',
    why: 'Every agent has a deadline, which is kept from outside. One that hangs ends with a result that says so.',
  },
  followed: {
    name: 'agent followed',
    package: '@nacre/agents',
    why: 'The log knows who runs. After a compaction the agent is named again, so it is not started twice, and its result is not lost.',
  },
}
