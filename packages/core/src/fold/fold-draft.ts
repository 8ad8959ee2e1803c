import type { Block, MessageEntry, Receipt, Span, Usage } from '../types/log.js'
import type { Draft } from '../types/relief.js'
import type { Round, View } from '../types/view.js'
import { type AnchorSource, anchorsSection, readAnchors } from './anchors.js'
import { messagesSection, readMessages, type SaidMessage } from './quoted-messages.js'

export interface FoldOptions {
  /** Told to people. */
  readonly reason?: string
  /** A fold by hand does not tell the model to go on by itself. */
  readonly trigger?: Receipt['trigger']
  /** Nobody is there to be asked. */
  readonly isAutonomous?: boolean
  /** The tool that reads the full text, where one is installed. Without it the fold names the file of the log, if there is one. */
  readonly recall?: string
  /** What introduces the text, where it stands for less than all that came before. */
  readonly frame?: string
  readonly room?: FoldRoom
  readonly checks?: Receipt['checks']
  readonly spent?: Usage
}

/** Estimated tokens that may stand beside the text; with smaller windows they shrink unless told. */
export interface FoldRoom {
  /** For what the user said, 20,000 unless told. Where told, the last message of the span may go as well, unless nobody has said anything since. */
  readonly messages?: number
  /** For the exact names, 1,500 unless told. */
  readonly anchors?: number
}

const MESSAGES = 20_000
const ANCHORS = 1_500
/** What a use of a name by the user or the model counts, where one in a result counts 1. */
const SPOKEN = 3

/**
 * Makes every fold the same way, whoever summarised: a frame, the text, the user messages that it lacks, and the exact
 * names of the span. The same input gives the same bytes. What was taken out of the view is not brought back by it.
 */
export function foldDraft(view: View, span: Span, text: string, options: FoldOptions = {}): Draft {
  const { scale } = view.tokens
  const rounds = view.roundsIn(span)
  const { reason = 'folded', checks, spent, room = {} } = options
  const { messages = MESSAGES * scale, anchors = ANCHORS * scale } = room
  const mayGo = room.messages !== undefined && said(view, after(view, rounds)).length > 0
  const quoted = messagesSection(said(view, rounds), text, messages, mayGo)
  const framed = frame(view, options)
  const sections = [
    framed,
    text.trim(),
    quoted,
    anchorsSection(sources(view, rounds), anchors, `${framed}\n${text}\n${quoted}`),
  ]
  const content: Block[] = sections.flatMap((section) => (section === '' ? [] : [{ type: 'text', text: section }]))
  return { changes: [{ kind: 'fold', span, content }], reason, ...(checks && { checks }), ...(spent && { spent }) }
}

function after({ rounds: all }: View, rounds: readonly Round[]): readonly Round[] {
  const last = rounds.at(-1)
  return last ? all.slice(all.indexOf(last) + 1) : []
}

const GO_ON = 'Go on with the last task where it was left, without a recap and without questions about what is known.'
const ALONE = 'Nobody is there to answer: decide by yourself what is left open, and work until the task is done.'

function frame({ transcript }: View, options: FoldOptions): string {
  const { recall, trigger = 'auto', isAutonomous = false } = options
  const inFile = recall === undefined && transcript !== undefined ? [`${LOST} ${fileOf(transcript)}`] : []
  if (options.frame !== undefined) return [options.frame, ...inFile].join('\n')
  return [
    'This session goes on from here. Its earlier part was folded to make room; what follows stands for it.',
    ...(recall === undefined ? inFile : [`${LOST} the tool ${recall} finds and reads the full text.`]),
    ...(trigger === 'manual' && !isAutonomous ? [] : [GO_ON]),
    ...(isAutonomous ? [ALONE] : []),
  ].join('\n')
}

const LOST = 'Nothing of it is lost:'

/** Names no tool: core does not know which file tools there are. */
function fileOf(transcript: string): string {
  return `the full text is in the log of this session, ${transcript}, with one JSON object a line. A search for a word of it finds the place.`
}

/** What the model still sees of an entry: where a block was replaced, what stands in its place. */
function shown(view: View, { id, content }: MessageEntry): readonly Block[] {
  return content.flatMap((_, block) => view.shown({ entry: id, block }))
}

/** What the user said, also what a fold before this one has kept of it. */
function said(view: View, rounds: readonly Round[]): SaidMessage[] {
  return rounds.flatMap(({ entries, content = [] }) => [
    ...content.flatMap(blockTexts).flatMap((text) => readMessages(text, content.length === 1)),
    ...entries.flatMap((entry) => {
      if (entry.kind !== 'user' || entry.isMeta) return []
      const text = shown(view, entry).flatMap(wordsOf).join('\n')
      return text.trim() === '' ? [] : [{ entry: entry.id, text }]
    }),
  ])
}

/** What was shown along with words is told, so that a message of pictures alone is one as well. */
function wordsOf({ type, text }: Block): string[] {
  if (type === 'text') return [String(text)]
  return type === 'image' || type === 'document' ? [`[${type}]`] : []
}

function sources(view: View, rounds: readonly Round[]): AnchorSource[] {
  return rounds.flatMap(({ entries, content = [], span }) => [
    ...content.flatMap(blockTexts).flatMap((text) => carried(span, text, content.length === 1)),
    ...entries.flatMap((entry) =>
      shown(view, entry).flatMap((block) => {
        const weight = block.type === 'tool_result' ? 1 : SPOKEN
        return blockTexts(block).map((text) => ({ entry: entry.id, text, weight }))
      }),
    ),
  ])
}

function carried({ to }: Span, text: string, isNote: boolean): readonly AnchorSource[] {
  const known = [...readAnchors(text), ...readMessages(text, isNote)]
  return known.length > 0 ? known : [{ entry: to, text }]
}

/** The texts of a block, as far as the model or a tool wrote them: not its keys, ids and thinking. */
function blockTexts(block: Block): string[] {
  switch (block.type) {
    case 'text':
      return [String(block.text)]
    case 'tool_use':
      return strings(block.input)
    case 'tool_result':
      return typeof block.content === 'string'
        ? [block.content]
        : ((block.content ?? []) as readonly Block[]).flatMap(blockTexts)
    default:
      return []
  }
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}
