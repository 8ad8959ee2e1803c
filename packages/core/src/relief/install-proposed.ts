import type { Draft } from '../contract/relief.js'
import type { Edit, Receipt, Rung } from '../log/edit.js'
import type { Span } from '../log/entry.js'
import { appendPrepared } from './append-prepared.js'
import { afterFold, readBreaker } from './breaker.js'
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
  const span = draft.changes.find((change) => change.kind === 'fold')?.span
  const cause = { trigger, dryRun: false }
  const answers = span ? await parts.hooks.collect('PreCompact', compactEvent(parts, cause, span)) : []
  const vetoes = answers.flatMap(({ owner: by, answer }) => ('veto' in answer ? [`${by}: ${answer.veto}`] : []))
  if (vetoes[0] !== undefined) return decided(parts, owner, { refused: vetoes[0] })
  const late = answers.flatMap(({ answer }) => ('instructions' in answer ? [answer.instructions] : []))
  const task: DraftTask = {
    ...cause,
    owner,
    rung: rungOf(parts, owner),
    pressure: 'proposed',
    signal: new AbortController().signal,
    ...(late.length > 0 && { ignored: late.join('\n') }),
    afterFold: () => afterFold(readBreaker(parts.view().state('core', 'relief')), undefined),
  }
  const prepared = await prepareDraft(parts, draft, task)
  const result = 'refused' in prepared ? prepared : await appendPrepared(parts, prepared)
  if ('refused' in result && span) await tellFailure(parts, cause, span, result.refused)
  return decided(parts, owner, result)
}

/** A proposal does not say on which rung it stands: the one on which its owner folds. */
function rungOf(parts: ReliefParts, owner: string): Rung {
  return parts.reliefs().find(({ owner: by, item }) => by === owner && FOLDING.has(item.rung))?.item.rung ?? 'summary'
}

async function tellFailure(
  parts: ReliefParts,
  cause: { readonly trigger: Receipt['trigger']; readonly dryRun: boolean },
  span: Span,
  refused: string,
): Promise<void> {
  await parts.hooks.collect('CompactFailed', { ...compactEvent(parts, cause, span), error: new Error(refused) })
}

function decided(parts: ReliefParts, owner: string, result: Installed): Installed {
  const isRefused = 'refused' in result
  const reason = isRefused ? result.refused : 'Installed.'
  const verdict = isRefused ? ('refused' as const) : ('taken' as const)
  parts.emit({ type: 'relief', decision: { verdict, reason, pressure: 'proposed', owner } })
  return result
}
