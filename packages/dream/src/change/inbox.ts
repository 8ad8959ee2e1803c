import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { NacreError } from '@nacre/core'
import type { MemoryFolder } from '../folders/memory-folder.js'
import { readJson, removeState, writeState } from '../folders/state-files.js'
import type { Author, Commit } from '../repository/types.js'
import { type Asked, takeGroups } from './take.js'
import type { Group } from './workspace.js'

/** A change that waits for a person. */
export interface InboxItem {
  readonly id: string
  readonly time: number
  readonly by: Author
  /** Why a person is asked. */
  readonly reasons: readonly string[]
  readonly group: Group
}

const FOLDER = 'inbox'
const REJECTED = 'rejected.json'

/** Puts changes into the inbox. What waits there already, or was rejected before, is not asked again. */
export async function fileInbox(
  folder: MemoryFolder,
  asked: readonly Asked[],
  { by, now }: { readonly by: Author; readonly now: number },
): Promise<readonly InboxItem[]> {
  const rejected = await readJson<readonly string[]>(folder.path, REJECTED, [])
  const waiting = new Set((await readInbox(folder)).map(({ id }) => id))
  const items = asked.map(({ group, reasons }): InboxItem => ({ id: keyOf(group), time: now, by, reasons, group }))
  const fresh = items.filter(({ id }) => !rejected.includes(id) && !waiting.has(id))
  for (const item of fresh) await writeItem(folder, item)
  return fresh
}

async function writeItem({ path }: MemoryFolder, item: InboxItem): Promise<void> {
  await writeState(path, `${FOLDER}-${item.id}.json`, item)
}

/** Oldest first. */
export async function readInbox({ path }: Pick<MemoryFolder, 'path'>): Promise<readonly InboxItem[]> {
  const names = await readdir(join(path, '.nacre')).catch(() => [])
  const items = await Promise.all(
    names
      .filter((name) => name.startsWith(`${FOLDER}-`) && name.endsWith('.json'))
      .map((name) => readJson<InboxItem | undefined>(path, name, undefined)),
  )
  return items.flatMap((item) => (item?.group ? [item] : [])).sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
}

/** Makes a change that waited. Where its files have changed since, it is said which. */
export async function acceptItem(folder: MemoryFolder, id: string): Promise<Commit> {
  const item = await findItem(folder, id)
  const repository = await folder.repository()
  const [first = 'a change that waited'] = item.group.reasons
  const cause = { by: item.by, summary: first, details: item.group.reasons, consent: 'asked' as const }
  const commit = await takeGroups(repository, cause, [item.group])
  if (commit && 'path' in commit) {
    throw new NacreError(
      'INVALID_REQUEST',
      `${commit.path} has changed since this was proposed, so it can not be accepted any more. Reject it; the next dream looks anew.`,
    )
  }
  if (!commit) throw new NacreError('INVALID_REQUEST', `${id} changes nothing any more. Reject it.`)
  await removeState(folder.path, `${FOLDER}-${item.id}.json`)
  return commit
}

/** Takes a change out of the inbox for good. */
export async function rejectItem(folder: MemoryFolder, id: string): Promise<InboxItem> {
  const item = await findItem(folder, id)
  const rejected = await readJson<readonly string[]>(folder.path, REJECTED, [])
  await writeState(folder.path, REJECTED, [...rejected, item.id].slice(-500))
  await removeState(folder.path, `${FOLDER}-${item.id}.json`)
  return item
}

async function findItem(folder: MemoryFolder, id: string): Promise<InboxItem> {
  const found = (await readInbox(folder)).filter(
    (item) => item.id.startsWith(id.trim().toLowerCase()) && id.trim() !== '',
  )
  if (found.length === 1) return found[0] as InboxItem
  const problem = found.length === 0 ? `Nothing in the inbox has the id ${id}.` : `More than one id begins with ${id}.`
  throw new NacreError('NOT_FOUND', `${problem} The inbox lists them.`)
}

function keyOf({ edits }: Group): string {
  const text = JSON.stringify(edits.map(({ path, before, after }) => [path, before ?? null, after ?? null]))
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
