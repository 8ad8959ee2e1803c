import { type CompactPlan, type Draft, estimateBlock, foldDraft, type Need, type Span, type View } from '@nacre/core'
import type { Parts } from '../parts.js'
import { type DigestMaterial, digestMaterial } from './digest-material.js'
import { foldLimits } from './fold-limits.js'
import { wordDigest } from './word-digest.js'

const FULL_WINDOW = 200_000
const TEXT = 8_000
const MESSAGES = 20_000
const ANCHORS = 1_500
/** What each may take of the room there is. */
const SHARES = { text: 0.35, messages: 0.4, anchors: 0.1 }
/** A digest with less room says nothing. */
const LEAST_TEXT = 100
/** From the usual size down to the frame and the last prompt alone. */
const STEPS: readonly number[] = [1, 0.6, 0.3, 0.15, 0.05, 0]

export interface DigestTask {
  readonly view: View
  readonly span: Span
  readonly need: Need
  readonly parts: Parts
}

/** The largest digest that fits; the shortest one where none does, so that core can say why. */
export function digestDraft(task: DigestTask, plan: CompactPlan): Draft {
  const { view, span, need } = task
  const { rounds, good, most } = foldLimits(view, span, need)
  const material = digestMaterial(view, rounds, need.tool)
  for (const step of STEPS.slice(0, -1)) {
    const draft = draftAt(task, plan, material, { step, most })
    if (sizeOf(draft) <= good) return draft
  }
  return draftAt(task, plan, material, { step: 0, most })
}

/** The frame and the last prompt alone: for when even notes of hooks leave no room for more. */
export function shortestDraft(task: DigestTask, plan: CompactPlan): Draft {
  const none: DigestMaterial = { ledger: new Map(), todos: [], answers: [], earlier: [] }
  return draftAt(task, plan, none, { step: 0, most: 0 })
}

interface Size {
  readonly step: number
  readonly most: number
}

function draftAt({ view, span, parts }: DigestTask, plan: CompactPlan, material: DigestMaterial, size: Size): Draft {
  const { step, most } = size
  const scale = Math.min(1, view.tokens.window / FULL_WINDOW)
  const budget = (full: number, share: number, part: number) => Math.max(0, Math.min(full * scale, most * share) * part)
  // What the user said is the last to go: all else shrinks faster.
  const room = budget(TEXT, SHARES.text, step ** 2)
  const text = room < LEAST_TEXT ? '' : wordDigest(material, room)
  const recall = parts.recall()
  return foldDraft(view, span, text, {
    reason: step === 0 ? 'digest without a model, the last prompt only' : 'digest without a model',
    trigger: plan.trigger,
    isAutonomous: parts.settings.autonomous,
    ...(recall !== undefined && { recall }),
    room: {
      messages: budget(MESSAGES, SHARES.messages, step),
      anchors: budget(ANCHORS, SHARES.anchors, step ** 2),
    },
    checks: checksOf(plan, step),
  })
}

function checksOf({ instructions }: CompactPlan, step: number): NonNullable<Draft['checks']> {
  const detail = step === 1 ? 'At its usual size.' : `Shortened to ${Math.round(step * 100)}% of its usual size to fit.`
  const ignored = { name: 'instructions', ok: false, detail: 'A digest is made without a model and follows none.' }
  return [{ name: 'digest', ok: step === 1, detail }, ...(instructions.length > 0 ? [ignored] : [])]
}

function sizeOf({ changes }: Draft): number {
  const content = changes.flatMap((change) => (change.kind === 'fold' ? change.content : []))
  return content.reduce((sum, block) => sum + estimateBlock(block), 0)
}
