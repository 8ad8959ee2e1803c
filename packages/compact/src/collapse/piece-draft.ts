import { type Draft, foldDraft, type Span, type Usage, type View } from '@nacre/core'

/** A record of a span, and how it came about. */
export interface Piece {
  readonly span: Span
  readonly tokens: number
  readonly text: string
  readonly isByModel: boolean
  readonly dollars: number
}

const FRAME = 'A finished part of this session was folded to make room, and this stands for it'
const ANCHORS = 1_500
const ANCHORS_SHARE = 0.06

/** Whether what stands for a span was made here. */
export function isPieceFrame(text: unknown): boolean {
  return typeof text === 'string' && text.startsWith(FRAME)
}

/** The fold of one piece of work: what comes before it and after it stays as it is. */
export function pieceDraft(view: View, piece: Piece, scale: number, recall: string | undefined): Draft {
  const { span, tokens, text, isByModel, dollars } = piece
  const frame = [
    `${FRAME}.`,
    ...(recall === undefined
      ? []
      : [`${recall} reads it again, from entry ${span.from} to entry ${span.to}, and finds any word of it.`]),
  ].join(' ')
  const detail = isByModel ? 'a summary by the model, made in the background' : 'made from the log, without the model'
  const draft = foldDraft(view, span, text, {
    reason: 'collapse: a finished span of work',
    frame,
    room: { anchors: Math.min(ANCHORS * scale, tokens * ANCHORS_SHARE) },
    checks: [{ name: 'record', ok: text.trim() !== '', detail }],
    spent: { ...NOTHING, dollars },
  })
  return { ...draft, isPiece: true }
}

const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, dollars: 0 }
