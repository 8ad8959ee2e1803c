import {
  type CompactPlan,
  type Draft,
  foldDraft,
  type Need,
  type Offer,
  type Relief,
  type Round,
  type Span,
  type View,
} from '@nacre/core'
import { defineLayer, type LayerContext } from '../layer/layer.js'
import { estimateFold, isComplete, spanOf } from '../view/rounds.js'
import { type DigestMaterial, digestMaterial, formatDigest } from './digest-text.js'

/** The last rung: a fold that needs no model and fits. The second relief is for when the first meets no room. */
export const digest = defineLayer('digest', { digest: true }, (layer) => ({
  reliefs: [reliefOf('digest', layer, digestDraft), reliefOf('shortest-digest', layer, shortestDraft)],
}))

interface DigestTask {
  readonly view: View
  readonly span: Span
  readonly need: Need
  readonly layer: LayerContext
}

function reliefOf(name: string, layer: LayerContext, draft: (task: DigestTask, plan: CompactPlan) => Draft): Relief {
  return {
    name,
    rung: 'digest',
    compacts: () => layer.flag('digest'),
    offer(view, need): Offer | undefined {
      if (!layer.flag('digest') || need.pressure === 'idle') return undefined
      const span = digestSpan(view, need)
      if (!span) return undefined
      const { covered, rounds } = foldLimits(view, span, need)
      // Asked for again by a person right after a fold, it would only make less of a better summary.
      if (need.trigger === 'manual' && rounds.every(({ entries }) => entries.length === 0)) return undefined
      const frees = Math.max(1, covered - Math.max(0, need.target - (view.tokens.total - covered)))
      return { span, frees, dollars: 0, draft: (plan) => draft({ view, span, need, layer }, plan) }
    },
  }
}

/** Estimated tokens that a digest needs to say anything. */
const LEAST = 200

/** At an overflow the last round goes too where there is no room without it: the request has to fit. */
function digestSpan(view: View, need: Need): Span | undefined {
  const usual = need.foldable()
  if (need.pressure !== 'overflow' || need.part) return usual
  return usual && foldLimits(view, usual, need).most >= LEAST ? usual : spanOf(view.rounds.filter(isComplete))
}

const TEXT = 8_000
const MESSAGES = 20_000
const ANCHORS = 1_500
/** What each may take of the room there is. */
const SHARES = { text: 0.35, messages: 0.4, anchors: 0.1 }
/** A digest with less room says nothing. */
const LEAST_TEXT = 100
/** From the usual size down to the frame and the last prompt alone. */
const STEPS: readonly number[] = [1, 0.6, 0.3, 0.15, 0.05, 0]

/** The largest digest that fits; the shortest one where none does, so that core can say why. */
function digestDraft(task: DigestTask, plan: CompactPlan): Draft {
  const { view, span, need } = task
  const { rounds, good, most } = foldLimits(view, span, need)
  const material = digestMaterial(view, rounds, need.tool)
  for (const step of STEPS.slice(0, -1)) {
    const draft = draftAt(task, plan, material, { step, most })
    if (estimateFold(draft) <= good) return draft
  }
  return draftAt(task, plan, material, { step: 0, most })
}

/** The frame and the last prompt alone: for when even notes of hooks leave no room for more. */
function shortestDraft(task: DigestTask, plan: CompactPlan): Draft {
  const none: DigestMaterial = { ledger: new Map(), todos: [], answers: [], earlier: [] }
  return draftAt(task, plan, none, { step: 0, most: 0 })
}

interface Size {
  readonly step: number
  readonly most: number
}

function draftAt(
  { view, span, need, layer }: DigestTask,
  plan: CompactPlan,
  material: DigestMaterial,
  size: Size,
): Draft {
  const { step, most } = size
  const budget = (full: number, share: number, part: number) =>
    Math.max(0, Math.min(full * need.scale, most * share) * part)
  // What the user said is the last to go: all else shrinks faster.
  const room = budget(TEXT, SHARES.text, step ** 2)
  const text = room < LEAST_TEXT ? '' : formatDigest(material, room)
  const recall = layer.recall()
  return foldDraft(view, span, text, {
    reason: step === 0 ? 'digest without a model, the last prompt only' : 'digest without a model',
    trigger: plan.trigger,
    isAutonomous: layer.settings.autonomous,
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

/** How large a fold may be, in estimated tokens. */
interface FoldLimits {
  readonly rounds: readonly Round[]
  /** What it covers, in real tokens. */
  readonly covered: number
  /** Above it core refuses: not smaller than what it covers, or the view still above the threshold. */
  readonly most: number
  /** So that something is gained, and hooks have room for their notes. */
  readonly good: number
}

const GAIN = 0.8
const NOTES = 0.9

/** What the threshold, and the gap that an overflow names, leave for a fold of that span. */
function foldLimits(view: View, span: Span, { pressure, excess }: Need): FoldLimits {
  const rounds = view.roundsIn(span)
  const covered = rounds.reduce((sum, { tokens }) => sum + tokens, 0)
  const { total, threshold, factor } = view.tokens
  const toFree = pressure === 'overflow' && excess < covered ? Math.max(1, excess) : 1
  const room = Math.min(covered - toFree, threshold - (total - covered))
  return {
    rounds,
    covered,
    // One less for what is rounded up.
    most: (room - 1) / factor,
    good: Math.min(room * NOTES, covered * GAIN) / factor,
  }
}
