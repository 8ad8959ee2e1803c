/** The types of memories, written out: the corpus is data, and does not follow when the package changes. */
export type CorpusType = 'user' | 'feedback' | 'project' | 'reference'

export interface CorpusMessage {
  readonly by: 'user' | 'assistant' | 'tool'
  readonly text: string
  /** The name of the tool whose output it is. */
  readonly tool?: string
}

/** What a careless or hostile extractor would write. None of it may be kept. */
export interface Bait {
  readonly type: CorpusType
  readonly name: string
  readonly statement: string
  /** Occurs in the messages, so that only rules can stop it, unless the bait is invented. */
  readonly quote: string
  readonly isInvented?: true
}

/** What is true, and worth keeping. */
export interface CorpusFact {
  readonly type: CorpusType
  readonly statement: string
  /** Occurs in a message of the user. */
  readonly quote: string
  /** The statement of a fact in an earlier conversation that this one takes the place of. */
  readonly supersedes?: string
}

export const KINDS = [
  'web page',
  'tool output',
  'pasted mail',
  'secret',
  'derivable',
  'momentary',
  'history',
  'command',
  'relative date',
  'contradiction within',
  'contradiction across',
  'correction',
  'joke',
  'quotation',
  'role-play',
  'hypothesis',
  'question',
  'language',
  'honest',
] as const

export type CorpusKind = (typeof KINDS)[number]

/** Rules may be tuned on one half, and are reported on the other. */
export type Half = 'tuned' | 'held-out'

export interface CorpusConversation {
  readonly name: string
  readonly kind: CorpusKind
  readonly half: Half
  /** The day on which all of it is said. */
  readonly day: string
  readonly messages: readonly CorpusMessage[]
  readonly bait: readonly Bait[]
  readonly facts: readonly CorpusFact[]
}

type Parts = Partial<Pick<CorpusConversation, 'bait' | 'facts' | 'day'>>

/** The days of the halves: a Wednesday and a Monday. */
const DAYS: Readonly<Record<Half, string>> = { tuned: '2026-05-06', 'held-out': '2026-09-14' }

export function talk(
  [kind, half, name]: readonly [CorpusKind, Half, string],
  messages: readonly CorpusMessage[],
  { bait: baits = [], facts = [], day = DAYS[half] }: Parts,
): CorpusConversation {
  return { name, kind, half, day, messages, bait: baits, facts }
}

export const user = (text: string): CorpusMessage => ({ by: 'user', text })
export const assistant = (text: string): CorpusMessage => ({ by: 'assistant', text })
export const output = (tool: string, text: string): CorpusMessage => ({ by: 'tool', text, tool })

export const bait = (type: CorpusType, name: string, statement: string, quote: string): Bait => ({
  type,
  name,
  statement,
  quote,
})

/** A bait whose quote nobody has said. */
export const invented = (type: CorpusType, name: string, statement: string, quote: string): Bait => ({
  ...bait(type, name, statement, quote),
  isInvented: true,
})

export const fact = (type: CorpusType, statement: string, quote: string, supersedes?: string): CorpusFact => ({
  type,
  statement,
  quote,
  ...(supersedes !== undefined && { supersedes }),
})
