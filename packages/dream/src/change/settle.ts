import type { MemoryFolder } from '../folders/memory-folder.js'
import { findSecret } from '../memory/secrets.js'
import type { Author, Cause, Commit } from '../repository/types.js'
import { fileInbox, type InboxItem } from './inbox.js'
import { type Besides, judgeGroups, ledgerOf, takeGroups } from './take.js'
import { type Group, groupsOf, type Workspace } from './workspace.js'

/** What became of a draft. */
export interface Settled {
  readonly commit?: Commit
  readonly inbox: readonly InboxItem[]
  readonly refused: readonly string[]
  /** A file that somebody changed meanwhile: then nothing was made. */
  readonly putOff?: string
}

export interface SettleOptions {
  /** The summary may depend on how many groups are made at once. */
  readonly cause: Omit<Cause, 'details' | 'consent' | 'summary'> & {
    readonly summary: string | ((made: number) => string)
  }
  readonly now: number
  /** One group that breaks the law of conservation takes all others with it. */
  readonly isStrict?: boolean
  readonly archivedBefore?: number
  readonly besides?: Besides
  /** What comes besides is worth a commit by itself. */
  readonly isBesidesEnough?: boolean
}

/**
 * Judges a draft and makes of it what may be made: in one commit, or not at all. What a person has to decide goes into
 * the inbox; what breaks a rule is refused with its reason.
 */
export async function settle(folder: MemoryFolder, workspace: Workspace, options: SettleOptions): Promise<Settled> {
  const { cause, now, isStrict = false, besides, isBesidesEnough = false, archivedBefore = 0 } = options
  const { uses } = await folder.read()
  const { clean, problems } = await withoutSecrets(groupsOf(workspace))
  const { taken, asked, refused } = judgeGroups(workspace.base, clean, { uses: uses.all, archivedBefore })
  const reasons = [...problems, ...refused.map(({ reason }) => reason)]
  if (isStrict && reasons.length > 0) return { inbox: [], refused: reasons }
  let commit: Commit | undefined
  if (taken.length > 0 || isBesidesEnough) {
    const details = taken.flatMap((group) => group.reasons)
    const made = await takeGroups(
      await folder.repository(),
      {
        ...cause,
        summary: typeof cause.summary === 'string' ? cause.summary : cause.summary(taken.length),
        details,
        ...(taken.length > 0 && { consent: consentOf(workspace, taken) }),
      },
      taken,
      besides,
    )
    if (made && 'path' in made) return { inbox: [], refused: reasons, putOff: made.path }
    commit = made
  }
  const inbox = await fileInbox(folder, asked, { by: cause.by as Author, now })
  return { ...(commit && { commit }), inbox, refused: reasons }
}

/** Whatever a draft adds, be it a text, a name or the reason for it, ends up in the history: none of it may be a secret. */
async function withoutSecrets(
  groups: readonly Group[],
): Promise<{ clean: readonly Group[]; problems: readonly string[] }> {
  const clean: Group[] = []
  const problems: string[] = []
  for (const group of groups) {
    const old = new Set(group.edits.flatMap(({ before = '' }) => before.split('\n')))
    const added = group.edits
      .flatMap(({ after = '', path }) => [path, ...after.split('\n')])
      .filter((line) => !old.has(line))
    const kind = await findSecret([...added, ...group.reasons].join('\n'))
    if (kind === undefined) clean.push(group)
    else problems.push(`a change holds a secret (${kind}), and secrets are never kept`)
  }
  return { clean, problems }
}

function consentOf(workspace: Workspace, taken: Parameters<typeof ledgerOf>[1]): 'lossless' | 'reversible' {
  const { fates, created } = ledgerOf(workspace.base, taken)
  const isLossless =
    created.length === 0 && [...fates.values()].every((fate) => fate.fate === 'kept' && !fate.isReworded)
  return isLossless ? 'lossless' : 'reversible'
}
