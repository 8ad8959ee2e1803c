import type { Draft } from '../contract/relief.js'
import type { Edit, Receipt, Rung } from '../log/edit.js'
import { NacreError } from '../nacre-error.js'
import { appendPrepared } from './append-prepared.js'
import { askPreCompact } from './ask-pre-compact.js'
import { afterFold, readBreaker } from './breaker.js'
import { checkDraft } from './check-draft.js'
import { compactEvent } from './compact-event.js'
import { type DraftTask, FOLDING } from './draft-task.js'
import { prepareDraft } from './prepare-draft.js'
import type { ReliefParts } from './relief-parts.js'

type Installed = Edit | { readonly refused: string }

/** Installs what background work has drafted, by the same checks. A fold may still be vetoed; instructions come too late. */
export async function installProposed(
  parts: ReliefParts,
  owner: string,
  draft: Draft,
  trigger: Receipt['trigger'],
): Promise<Installed> {
  const installed = await install(parts, draft, {
    trigger,
    dryRun: false,
    owner,
    rung: draft.isPiece ? 'notes' : rungOf(parts, owner),
    pressure: 'proposed',
    signal: new AbortController().signal,
    afterFold: () => afterFold(readBreaker(parts.view().state('core', 'relief')), undefined),
  })
  const isRefused = 'refused' in installed
  const reason = isRefused ? installed.refused : 'Installed.'
  const verdict = isRefused ? ('refused' as const) : ('taken' as const)
  parts.emit({ type: 'relief', decision: { verdict, reason, pressure: 'proposed', owner } })
  return installed
}

async function install(parts: ReliefParts, draft: Draft, task: DraftTask): Promise<Installed> {
  const refused = checkDraft(parts, draft, task)
  if (refused !== undefined) return { refused }
  const span = draft.changes.find((change) => change.kind === 'fold')?.span
  if (!span) return prepareAndAppend(parts, draft, task)
  const { veto, instructions } = await askPreCompact(parts, compactEvent(parts, task, span))
  const late = instructions.length > 0 ? { ignored: instructions.join('\n') } : {}
  const result = veto === undefined ? await prepareAndAppend(parts, draft, { ...task, ...late }) : { refused: veto }
  if ('refused' in result) {
    const error = veto === undefined ? new Error(result.refused) : new NacreError('BLOCKED', veto)
    await parts.hooks.collect('CompactFailed', { ...compactEvent(parts, task, span), error })
  }
  return result
}

async function prepareAndAppend(parts: ReliefParts, draft: Draft, task: DraftTask): Promise<Installed> {
  const prepared = await prepareDraft(parts, draft, task)
  return 'refused' in prepared ? prepared : appendPrepared(parts, prepared)
}

/** A proposal does not say on which rung it stands: the one on which its owner folds, unless it is a piece of work with its record at hand. */
function rungOf(parts: ReliefParts, owner: string): Rung {
  return parts.reliefs().find(({ owner: by, item }) => by === owner && FOLDING.has(item.rung))?.item.rung ?? 'summary'
}
