import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Id, NacreError } from '@nacre/core'
import { createWorkspace } from '../change/workspace.js'
import type { Folders, MemoryFolder, Scope } from '../folders/memory-folder.js'
import type { Logs } from '../logs/logs.js'
import { editIndex } from '../memory/index-file.js'
import {
  evidenceOf,
  INDEX_FILE,
  isDamage,
  type Memory,
  type MemoryType,
  readMemory,
  statementOf,
  toDay,
  writeMemory,
} from '../memory/memory.js'
import { readMemories } from '../memory/memory-set.js'
import { findQuote, isSameText } from '../memory/statement.js'
import { keepUses } from '../memory/uses.js'
import { isBoundToProject, rememberedMemory, typeOf } from '../recall/said-in-prompt.js'
import type { Cause, FileChanges, Files } from '../repository/types.js'
import { CRITERIA } from '../rules/criteria.js'
import { objectionToSecret, sameAs } from '../rules/judge.js'
import { TOMBSTONES, tombstoneOf } from '../rules/tombstones.js'

/** Time and chance. */
export interface ChangeEffects {
  now(): number
  newId(): Id
}

/** Makes one change by a person's word. What a person says is not judged but for secrets. */
async function change(
  folder: MemoryFolder,
  cause: Omit<Cause, 'by'> & Partial<Pick<Cause, 'by'>>,
  make: (files: Files) => FileChanges | undefined,
): Promise<void> {
  const repository = await folder.repository()
  await repository.change({ by: 'person', ...cause }, ({ files }) => make(files))
}

async function mustBeClean(memory: Memory): Promise<void> {
  const objection = await objectionToSecret(memory)
  if (objection !== undefined) throw new NacreError('INVALID_REQUEST', `It is not saved: ${objection}.`)
}

export interface Added {
  readonly scope: Scope
  readonly memory: Memory
}

export interface AddDetails {
  readonly type?: MemoryType
  readonly name?: string
  readonly scope?: Scope
  /** Where it was said; a person's own hand unless told. */
  readonly source?: Memory['source']
}

/** Saves a text as a memory. It has its line in the index at once: a person wants it known. */
export async function addMemory(
  folders: Folders,
  text: string,
  { type = typeOf(text), name, scope, source = { kind: 'hand' } }: AddDetails,
  { now, newId }: ChangeEffects,
): Promise<Added> {
  const said = text.trim()
  if (said === '') throw new NacreError('INVALID_REQUEST', 'There is nothing to remember: give a text.')
  const { home } = CRITERIA[type]
  const where = scope ?? (home === 'either' ? (isBoundToProject(said) ? 'project' : 'person') : home)
  const folder = folders[where]
  let saved: Memory | undefined
  const draft = (files: Files) =>
    rememberedMemory({
      text: said,
      source,
      id: newId(),
      now: now(),
      type,
      isTaken: (path) => files.has(path),
      ...(name !== undefined && { name }),
    })
  await mustBeClean(draft(new Map()))
  await change(folder, { summary: `Remembered ${draft(new Map()).name}` }, (files) => {
    const memory = draft(files)
    const same = [...readMemories(files).live.values()].find((other) =>
      isSameText(statementOf(other), statementOf(memory)),
    )
    saved = same ? { ...same, confirmed: toDay(now()) } : memory
    const index = editIndex(files.get(INDEX_FILE) ?? '', { put: [saved] })
    return new Map([
      [saved.path, writeMemory(saved)],
      [INDEX_FILE, index],
    ])
  })
  if (source.kind === 'session') await folder.vouch(source.evidence)
  return { scope: where, memory: saved as Memory }
}

/** The newest state of a memory, whatever happened since a person looked at it. */
function current(files: Files, { id, name }: Memory): Memory {
  const found = readMemories(files)
  const memory = found.live.get(id) ?? found.archived.get(id)
  if (!memory) throw new NacreError('NOT_FOUND', `${name} is no longer there.`)
  return memory
}

/** Takes a file over as a person has edited it. */
export async function editMemory(
  folder: MemoryFolder,
  memory: Memory,
  text: string,
  { now }: ChangeEffects,
): Promise<Memory> {
  const read = readMemory(memory.path, text)
  if (isDamage(read)) throw new NacreError('INVALID_REQUEST', `The file would be no memory: ${read.problem}.`)
  const edited: Memory = { ...read, id: memory.id, confirmed: toDay(now()) }
  await mustBeClean(edited)
  await change(folder, { summary: `Edited ${edited.name}` }, (files) => {
    const { path } = current(files, memory)
    const changes = new Map<string, string | undefined>([[path, writeMemory({ ...edited, path })]])
    const index = files.get(INDEX_FILE) ?? ''
    if (index.includes(`(${path})`)) changes.set(INDEX_FILE, editIndex(index, { put: [{ ...edited, path }] }))
    return changes
  })
  return edited
}

/** A pinned memory is always in the index, and nothing but a person changes it. */
export async function pinMemory(folder: MemoryFolder, memory: Memory, isPinned: boolean): Promise<Memory> {
  await change(folder, { summary: `${isPinned ? 'Pinned' : 'Unpinned'} ${memory.name}` }, (files) => {
    const now = { ...current(files, memory), isPinned }
    if (now.gone) throw new NacreError('INVALID_REQUEST', `${memory.name} is in the archive. Undo that first.`)
    const changes = new Map([[now.path, writeMemory(now)]])
    if (isPinned) changes.set(INDEX_FILE, editIndex(files.get(INDEX_FILE) ?? '', { put: [now] }))
    return changes
  })
  return { ...memory, isPinned }
}

/** Into the archive, with a tombstone that keeps it from being extracted again. */
export async function forgetMemory(folder: MemoryFolder, memory: Memory, { now }: ChangeEffects): Promise<Memory> {
  const on = toDay(now())
  await change(folder, { summary: `Forgot ${memory.name}` }, (files) => {
    const live = current(files, memory)
    const workspace = createWorkspace(files)
    if (!live.gone) workspace.retire(live, { how: 'forgotten', reason: 'a person wanted it', on })
    const changes = new Map(workspace.changes())
    changes.set(TOMBSTONES, withTombstone(files, live, 'forgotten', on))
    changes.set(INDEX_FILE, editIndex(files.get(INDEX_FILE) ?? '', { take: [live.path] }))
    return changes
  })
  return memory
}

function withTombstone(files: Files, memory: Memory, how: 'forgotten' | 'purged', on: string): string {
  const line = JSON.stringify(tombstoneOf(memory, how, on, randomBytes(8).toString('hex')))
  return `${[...(files.get(TOMBSTONES) ?? '').split('\n').filter((each) => each !== ''), line].join('\n')}\n`
}

export interface PurgeReport {
  readonly memory: Memory
  readonly scope: Scope
  /** Sessions whose logs still hold its words: they are the person's to purge. */
  readonly sessions: readonly Id[]
}

/** Takes a memory out of the folder, its history and its objects, and leaves a tombstone without its words. */
export async function purgeMemory(
  folder: MemoryFolder,
  memory: Memory,
  logs: Logs,
  { now }: ChangeEffects,
): Promise<PurgeReport> {
  const repository = await folder.repository()
  const commits = await repository.log({ limit: 10_000 })
  const paths = new Set<string>()
  const texts = new Set<string>()
  for (const { id } of commits) {
    for (const { path, before, after } of await repository.diff(id)) {
      for (const text of [before, after]) {
        const held = text === undefined ? undefined : readMemory(path, text)
        if (!held || isDamage(held) || held.id !== memory.id) continue
        paths.add(path)
        for (const each of wordsOf(held)) texts.add(each)
      }
    }
  }
  const on = toDay(now())
  // The tombstone first: what is purged must not come back between the two.
  await change(
    folder,
    { summary: 'Left a tombstone' },
    (files) => new Map([[TOMBSTONES, withTombstone(files, memory, 'purged', on)]]),
  )
  await repository.purge({ paths: [...paths], texts: [...texts] })
  await purgeState(folder.path, memory.id, [...texts])
  return { memory, scope: folder.scope, sessions: await sessionsWith(memory, logs) }
}

/** What is kept beside the history: prompts that brought it back, and changes of it that wait. */
async function purgeState(folder: string, id: Id, texts: readonly string[]): Promise<void> {
  const state = join(folder, '.nacre')
  const isHeld = (text: string) =>
    [id, ...texts].some((word) => text.includes(word) || text.includes(JSON.stringify(word).slice(1, -1)))
  for (const name of await readdir(state).catch(() => [])) {
    const path = join(state, name)
    if (name.startsWith('inbox-') && isHeld(await readFile(path, 'utf8').catch(() => '')))
      await rm(path, { force: true })
  }
  await keepUses(folder, (line) => !isHeld(line))
}

/** Everything by which the words of a memory could be known. */
function wordsOf(memory: Memory): readonly string[] {
  const quotes = evidenceOf(memory).map(({ quote }) => quote)
  return [
    memory.name,
    memory.description,
    statementOf(memory),
    ...memory.body.split('\n'),
    ...quotes,
    `(${memory.path})`,
  ]
    .map((text) => text.trim())
    .filter((text) => text.length >= 8)
}

async function sessionsWith(memory: Memory, logs: Logs): Promise<readonly Id[]> {
  const needles = [...evidenceOf(memory).map(({ quote }) => quote), statementOf(memory)]
  const found = new Set<Id>(evidenceOf(memory).map(({ session }) => session))
  for await (const { id } of logs.sessions()) {
    const said = found.has(id) ? [] : ((await logs.said(id)) ?? [])
    if (said.some(({ text }) => needles.some((needle) => findQuote(text, needle)))) found.add(id)
  }
  return [...found]
}

export interface Imported {
  readonly added: readonly string[]
  /** Files that were left out, each with the reason. */
  readonly left: readonly string[]
}

const LARGEST = 100_000

/**
 * Takes in memory files of other programs: each file becomes a memory, and an index or a list becomes one for each of
 * its points. They keep the provenance 'imported'.
 */
export async function importFiles(
  folder: MemoryFolder,
  paths: readonly string[],
  { now, newId }: ChangeEffects,
): Promise<Imported> {
  const left: string[] = []
  const drafts: Memory[] = []
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      left.push(`${path}: it can not be read (${error.code ?? 'unknown error'})`)
      return undefined
    })
    if (text === undefined) continue
    if (text.length > LARGEST) left.push(`${path}: it is larger than ${LARGEST} characters`)
    else drafts.push(...draftsOf(basename(path), text, toDay(now()), newId))
  }
  const clean: Memory[] = []
  for (const memory of drafts) {
    const objection = await objectionToSecret(memory)
    if (objection === undefined) clean.push(memory)
    // Without its words: they are the secret.
    else left.push(`one of ${memory.source.kind === 'imported' ? memory.source.from : 'them'}: ${objection}`)
  }
  const added: string[] = []
  if (clean.length > 0) {
    const summary = `Imported ${clean.length} memories from ${paths.map((path) => basename(path)).join(', ')}`
    await change(folder, { by: 'import', summary }, (files) => imports(files, clean, added, left))
  }
  return { added, left }
}

function imports(files: Files, drafts: readonly Memory[], added: string[], left: string[]): FileChanges | undefined {
  const workspace = createWorkspace(files)
  const put: Memory[] = []
  for (const draft of drafts) {
    const same = sameAs(draft, workspace.memories().live.values())
    if (same) {
      left.push(`${draft.name}: ${same.name} says this already`)
      continue
    }
    const path = freeName(draft.path, workspace.files())
    workspace.put({ ...draft, path }, `${draft.name}: imported`)
    put.push({ ...draft, path })
    added.push(path)
  }
  if (put.length === 0) return undefined
  return new Map([...workspace.changes(), [INDEX_FILE, editIndex(files.get(INDEX_FILE) ?? '', { put })]])
}

function freeName(path: string, files: Files): string {
  const base = path.replace(/\.md$/, '')
  for (let number = 1; ; number++) {
    const free = number === 1 ? path : `${base}-${number}.md`
    if (!files.has(free)) return free
  }
}

const POINT = /^\s*[-*+] +(.+)$/
const SHORTEST_POINT = 12

function draftsOf(file: string, text: string, day: string, newId: () => Id): readonly Memory[] {
  const source = { kind: 'imported' as const, from: file }
  const whole = readMemory(file.endsWith('.md') ? file : `${file}.md`, text)
  const points = text.split('\n').flatMap((line) => POINT.exec(line)?.[1]?.trim() ?? [])
  const isList = !text.startsWith('---') && points.length > 0
  if (!isList)
    return isDamage(whole) ? [] : [{ ...whole, id: newId(), source, created: day, confirmed: day, isPinned: false }]
  return points
    .filter((point) => point.length >= SHORTEST_POINT)
    .map((point) => {
      const made = rememberedMemory({ text: point, source, id: newId(), now: Date.parse(day), isTaken: () => false })
      return { ...made, body: point }
    })
}
