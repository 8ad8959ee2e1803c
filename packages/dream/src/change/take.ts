import type { Awaitable, Id } from '@nacre/core'
import { editIndex, pointersIn } from '../memory/index-file.js'
import { INDEX_FILE, type Memory } from '../memory/memory.js'
import { readMemories } from '../memory/memory-set.js'
import type { Use } from '../memory/uses.js'
import type { Cause, Commit, FileChanges, Files, Repository } from '../repository/types.js'
import { consentTo, drawUp, type Ledger } from '../rules/ledger.js'
import { failedProbes } from '../rules/probes.js'
import { type Group, withGroups } from './workspace.js'

/** A part of a draft that a person has to decide. */
export interface Asked {
  readonly group: Group
  /** Why it is not simply done. */
  readonly reasons: readonly string[]
}

/** How a draft is judged: what is done at once, what a person decides, what is refused. */
export interface Judged {
  readonly taken: readonly Group[]
  readonly asked: readonly Asked[]
  readonly refused: readonly { readonly group: Group; readonly reason: string }[]
}

/** What a draft is judged by beside its files. */
export interface JudgeFacts {
  readonly uses?: readonly Use[]
  /** What the same hand has archived in the same session already. */
  readonly archivedBefore?: number
}

/**
 * Judges a draft by its files alone. Each group is held against the law of conservation by itself, so that a bad one
 * does not take good ones with it; a dream is stricter and refuses all of it. Then what is left is judged as one.
 */
export function judgeGroups(
  base: Files,
  groups: readonly Group[],
  { uses = [], archivedBefore = 0 }: JudgeFacts = {},
): Judged {
  const refused: { group: Group; reason: string }[] = []
  const asked: Asked[] = []
  let taken: Group[] = []
  for (const group of groups) {
    const ledger = drawUp(base, withGroups(base, [group]))
    if ('refused' in ledger) {
      refused.push({ group, reason: ledger.refused })
      continue
    }
    const { reasons } = consentTo({ ...ledger, fates: withoutShare(ledger) })
    if (reasons.length > 0) asked.push({ group, reasons })
    else taken.push(group)
  }
  const together = holdBack(base, taken, { uses, archivedBefore })
  taken = taken.filter((group) => !together.some((held) => held.group === group))
  return { taken, asked: [...asked, ...together], refused }
}

/** The share that is archived is judged over all groups: one by one it would never be large, or always. */
function withoutShare({ fates }: Ledger): Ledger['fates'] {
  return new Map([...fates].filter(([, { fate }]) => fate !== 'archived'))
}

/** What is fine one by one and too much together: many into the archive, or prompts that would no longer find their answer. */
function holdBack(
  base: Files,
  groups: readonly Group[],
  { uses, archivedBefore }: Required<JudgeFacts>,
): readonly Asked[] {
  const ledger = drawUp(base, withGroups(base, groups))
  if ('refused' in ledger) return groups.map((group) => ({ group, reasons: [ledger.refused] }))
  const { reasons } = consentTo(ledger, archivedBefore)
  const archiving = groups.filter((group) => fatesIn(base, group).some((fate) => fate === 'archived'))
  const held: Asked[] = reasons.length > 0 ? archiving.map((group) => ({ group, reasons })) : []
  const rest = groups.filter((group) => !held.some((each) => each.group === group))
  return [...held, ...heldByProbes(base, rest, uses)]
}

function heldByProbes(base: Files, groups: readonly Group[], uses: readonly Use[]): readonly Asked[] {
  const whole = drawUp(base, withGroups(base, groups))
  if ('refused' in whole || failedProbes(uses, whole).length === 0) return []
  return groups.flatMap((group): readonly Asked[] => {
    const alone = drawUp(base, withGroups(base, [group]))
    const failed = 'refused' in alone ? [] : failedProbes(uses, alone)
    const reasons = failed.map(({ query, name }) => `"${query}" would no longer bring back ${name}`)
    return reasons.length > 0 ? [{ group, reasons }] : []
  })
}

function fatesIn(base: Files, group: Group): readonly string[] {
  const ledger = drawUp(base, withGroups(base, [group]))
  return 'refused' in ledger ? [] : [...ledger.fates.values()].map(({ fate }) => fate)
}

/** The account of groups that were judged. */
export function ledgerOf(base: Files, groups: readonly Group[]): Ledger {
  const ledger = drawUp(base, withGroups(base, groups))
  if ('refused' in ledger) throw new Error(ledger.refused)
  return ledger
}

/** What else a change brings along: lines of the index, lines of a daily log. */
export type Besides = (files: Files) => Awaitable<FileChanges>

/** Why a group could not be made: a person or another session was faster. */
export interface PutOff {
  readonly path: string
}

/**
 * Makes groups in one commit. Where one of their files is no longer what the draft was made from, nothing is made:
 * whoever changed it meanwhile is never overwritten.
 */
export async function takeGroups(
  repository: Repository,
  cause: Cause,
  groups: readonly Group[],
  besides: Besides = () => new Map(),
): Promise<Commit | PutOff | undefined> {
  let changed: string | undefined
  const commit = await repository.change(cause, async ({ files }) => {
    const edits = groups.flatMap((group) => group.edits)
    changed = edits.find(({ path, before }) => files.get(path) !== before)?.path
    if (changed !== undefined) return undefined
    const after = new Map(withGroups(files, groups))
    const ledger = drawUp(files, after)
    if ('refused' in ledger) throw new Error(ledger.refused)
    after.set(INDEX_FILE, indexAfter(files.get(INDEX_FILE) ?? '', ledger))
    const more = await besides(after)
    const all = new Map<string, string | undefined>([...edits.map(({ path, after: text }) => [path, text] as const)])
    if (after.get(INDEX_FILE) !== (files.get(INDEX_FILE) ?? '')) all.set(INDEX_FILE, after.get(INDEX_FILE))
    for (const [path, text] of more) all.set(path, text)
    return all.size > 0 ? all : undefined
  })
  return changed === undefined ? commit : { path: changed }
}

/** Lines of what is no longer in use go; where a successor has taken its place, the line becomes the successor's. */
function indexAfter(index: string, { before, after, fates }: Pick<Ledger, 'before' | 'after' | 'fates'>): string {
  const pointed = new Set(pointersIn(index))
  const take: string[] = []
  const put = new Map<Id, Memory>()
  for (const [id, fate] of fates) {
    const was = before.live.get(id)
    const is = after.live.get('into' in fate ? fate.into : id)
    if (!was || !pointed.has(was.path)) continue
    if (!is || is.path !== was.path) take.push(was.path)
    // A line whose memory has not changed stays as a person may have written it.
    const isSame = is && is.path === was.path && is.name === was.name && is.description === was.description
    if (is && !isSame) put.set(is.id, is)
  }
  return take.length === 0 && put.size === 0 ? index : editIndex(index, { take, put: [...put.values()] })
}

/** The index of files as a person left them, where a pointer leads to nothing any more. */
export function deadPointers(files: Files): readonly string[] {
  const { live, damaged } = readMemories(files)
  const there = new Set([...[...live.values()].map(({ path }) => path), ...damaged.map(({ path }) => path)])
  return pointersIn(files.get(INDEX_FILE) ?? '').filter((path) => !there.has(path))
}
