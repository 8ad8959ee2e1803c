import { NacreError } from '../errors.js'
import { coreState } from '../log/timeline.js'
import { canCompact } from '../relief/context.js'
import { estimateBlock, USER_TURN_TOKENS } from '../tokens/estimate.js'
import type { Thresholds } from '../tokens/thresholds.js'
import type { SizeName } from '../types/events.js'
import type { Block, NoticeEntry } from '../types/log.js'
import type { View } from '../types/view.js'
import type { Runtime } from './runtime.js'

/**
 * Why a query with that prompt has no room, or `undefined`. Where the view is compacted by itself there is always room
 * to be made. A fork extends the last request of its parent whatever its size.
 */
export function noRoomFor(runtime: Runtime, prompt: readonly Block[]): NacreError | undefined {
  const { currentModel, contributions, tokens, view, kin } = runtime
  const { autoCompact, block } = currentModel.thresholds()
  if (autoCompact || kin?.shared) return undefined
  const held = view().tokens.total
  const added = prompt.reduce((sum, each) => sum + estimateBlock(each), 0)
  const own = added > 0 ? tokens.calibration.tokens(added + USER_TURN_TOKENS) : 0
  if (held + own <= block.tokens) return undefined
  const size =
    held > block.tokens ? `holds ${count(held)} tokens` : `would hold ${count(held + own)} tokens with this prompt`
  const message = `The context ${size}, above the limit of ${count(block.tokens)}, and nothing was sent. ${wayOut(canCompact(contributions.reliefs()))}`
  return new NacreError('PROMPT_TOO_LONG', message, { gap: held + own - block.tokens, limit: block.tokens })
}

/** What a person can do, by whether something is there that compacts when it is asked to. */
function wayOut(isThere: boolean): string {
  const others = 'clear or rewind the conversation, take an undo back, or go on with a model that has a larger window'
  return isThere
    ? `Automatic compaction has stopped: compact by hand, ${others}.`
    : `No layer that compacts is switched on: switch one on, ${others}.`
}

const NAMES: readonly SizeName[] = ['warning', 'error', 'block']
const LEVELS: Readonly<Record<SizeName, NoticeEntry['level']>> = { warning: 'warning', error: 'error', block: 'error' }

/**
 * Tells of each size that the view has come to be larger than: once, and again only after it has been below it. What was
 * told is state, so that a resume does not tell it again and a rewind takes it back.
 */
export async function watchSize(runtime: Runtime): Promise<void> {
  const { currentModel, conversation, contributions, view, emit, kin } = runtime
  // Who works below another has no person to tell.
  if (kin) return
  const sizes = currentModel.thresholds()
  const { total } = view().tokens
  const told = readTold(view())
  const reached = NAMES.filter((name) => total > sizes[name].tokens)
  const fresh = reached.filter((name) => !told.includes(name))
  if (fresh.length === 0 && reached.length === told.length) return
  const hasWayOut = canCompact(contributions.reliefs())
  const notices = fresh.map((name) => ({
    kind: 'notice' as const,
    owner: 'core',
    level: isAhead(total, sizes) ? ('info' as const) : LEVELS[name],
    text: describeSize(name, total, sizes, hasWayOut),
  }))
  for (const name of fresh) emit({ type: 'threshold', name, tokens: total, limit: sizes[name].tokens })
  await conversation.append(...notices, coreState('told-sizes', reached))
}

/** Whether it will be compacted in time: then nobody has to do anything, and sessions that run long come here often. */
function isAhead(total: number, { autoCompact, compact }: Thresholds): boolean {
  return autoCompact && total <= compact.tokens
}

function readTold(view: View): readonly string[] {
  const told = view.state('core', 'told-sizes')
  return Array.isArray(told) ? told.map(String) : []
}

function describeSize(name: SizeName, total: number, sizes: Thresholds, hasWayOut: boolean): string {
  const { autoCompact, compact, block } = sizes
  const held = `The context holds ${count(total)} tokens, more than ${count(sizes[name].tokens)}.`
  if (isAhead(total, sizes)) return `${held} It is compacted at ${count(compact.tokens)}.`
  if (autoCompact)
    return `${held} It should have been compacted at ${count(compact.tokens)}, which is tried again with the next turn.`
  if (name === 'block') return `${held} No more prompts are taken. ${wayOut(hasWayOut)}`
  return `${held} Nothing compacts it by itself, and above ${count(block.tokens)} no prompt is taken.`
}

function count(tokens: number): string {
  return Math.round(tokens).toLocaleString('en-US')
}
