import type { Id } from '@nacre/core'
import { parse, stringify } from 'yaml'

export const MEMORY_TYPES = ['user', 'feedback', 'project', 'reference'] as const
export type MemoryType = (typeof MEMORY_TYPES)[number]

/** Who said the words that a memory rests on. */
export type Speaker = 'user' | 'assistant' | 'tool'

/** Where the log says so: the words stand in that entry. */
export interface Evidence {
  readonly session: Id
  readonly entry: Id
  readonly by: Speaker
  readonly quote: string
  /** The folder that the session worked in, where that is not the one that the memory belongs to. */
  readonly project?: string
}

/** Words in logs, a person's own hand, or a file of another program. */
export type Source =
  | { readonly kind: 'session'; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'hand' }
  | { readonly kind: 'imported'; readonly from: string }

/** What became of a memory that is no longer in use. Its text stays in the archive as it was. */
export interface Gone {
  readonly how: 'merged' | 'superseded' | 'archived' | 'forgotten'
  /** The memory that has its place. */
  readonly into?: Id
  readonly reason: string
  readonly on: string
}

/** One fact or rule, in a file of its own. Its id stays when the file is renamed. */
export interface Memory {
  readonly id: Id
  /** From the folder. */
  readonly path: string
  readonly name: string
  /** What it is good for, in less than a line: it stands in the index. */
  readonly description: string
  readonly type: MemoryType
  readonly source: Source
  /** Days, such as `2026-11-18`. */
  readonly created: string
  readonly confirmed: string
  readonly isPinned: boolean
  readonly gone?: Gone
  /** The fact or rule, then why, then how to apply it. */
  readonly body: string
  /** What a person has added to the head of the file. */
  readonly rest: Readonly<Record<string, unknown>>
}

export const INDEX_FILE = 'MEMORY.md'
export const ARCHIVE = 'archive/'
export const DAILY_LOGS = 'logs/'

/** Whether a file of the folder is a memory, in use or in the archive. */
export function isMemoryPath(path: string): boolean {
  return path.endsWith('.md') && path !== INDEX_FILE && !path.startsWith(DAILY_LOGS)
}

const HEAD = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** A file that is no memory, and what is wrong with it, in words for a person. */
export interface Damage {
  readonly path: string
  readonly problem: string
}

/**
 * Reads a memory as it lies in the folder. A person may have written it: what is missing is filled in, and only what
 * can not be guessed is a problem.
 */
export function readMemory(path: string, file: string): Memory | Damage {
  // Some editors begin a file with a mark of their own.
  const text = file.replace(/^\uFEFF/, '')
  const head = HEAD.exec(text)
  const fields = head ? readHead(head[1] ?? '') : {}
  if (typeof fields === 'string') return { path, problem: `its head is not valid YAML: ${fields}` }
  const { id, name, description, type, source, created, confirmed, pinned, gone, ...rest } = fields
  const body = text.slice(head?.[0].length ?? 0).trim()
  if (body === '') return { path, problem: 'it says nothing below its head' }
  const known = MEMORY_TYPES.find((each) => each === type)
  if (type !== undefined && !known) {
    return { path, problem: `its type is '${String(type)}', not one of ${MEMORY_TYPES.join(', ')}` }
  }
  const read = readSource(source)
  if (typeof read === 'string') return { path, problem: read }
  const day = dayOf(created) ?? '1970-01-01'
  const ended = readGone(gone)
  return {
    id: typeof id === 'string' && id.trim() !== '' ? id.trim() : `file:${path}`,
    path,
    name: oneLine(plainText(name) ?? String(path.split('/').at(-1)?.replace(/\.md$/, ''))),
    description: oneLine(plainText(description) ?? firstParagraph(body)),
    type: known ?? 'project',
    source: read,
    created: day,
    confirmed: dayOf(confirmed) ?? day,
    isPinned: pinned === true,
    ...(ended && { gone: ended }),
    body,
    rest,
  }
}

export function isDamage(read: Memory | Damage): read is Damage {
  return 'problem' in read
}

/** The file of a memory. */
export function writeMemory(memory: Memory): string {
  const { id, name, description, type, source, created, confirmed, isPinned, gone, body, rest } = memory
  const head = {
    id,
    name,
    description,
    type,
    source: writeSource(source),
    created,
    confirmed,
    ...(isPinned && { pinned: true }),
    ...(gone && { gone }),
    ...rest,
  }
  return `---\n${stringify(head, { lineWidth: 0 })}---\n${body.trim()}\n`
}

/** The fact or rule itself, without why and how. */
export function statementOf({ body }: Pick<Memory, 'body'>): string {
  return firstParagraph(body)
}

function firstParagraph(body: string): string {
  const [first = ''] = body.split(/\r?\n[ \t]*\r?\n|\r?\n(?=\*\*(?:Why|How))/)
  return first.trim()
}

/** The evidence of a memory; none where a person wrote it or it was imported. */
export function evidenceOf({ source }: Pick<Memory, 'source'>): readonly Evidence[] {
  return source.kind === 'session' ? source.evidence : []
}

/** The day of a moment, in the way files have it. */
export function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** A file name for a memory that no other one has. */
export function freePath(name: string, taken: (path: string) => boolean): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  // The index has that name already, on disks that do not tell capitals apart.
  const base = words === '' || words === 'memory' ? 'note' : words
  for (let number = 1; ; number++) {
    const path = `${base}${number === 1 ? '' : `-${number}`}.md`
    if (!taken(path)) return path
  }
}

function plainText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function readHead(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = parse(text)
    if (value === null || value === undefined) return {}
    return typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : 'it has no names and values'
  } catch (error) {
    return oneLine((error as Error).message)
  }
}

const BY_HAND = 'by hand'
const IMPORTED = 'imported from '

function readSource(value: unknown): Source | string {
  if (value === undefined || value === BY_HAND) return { kind: 'hand' }
  if (typeof value === 'string' && value.startsWith(IMPORTED)) {
    return { kind: 'imported', from: value.slice(IMPORTED.length) }
  }
  const items = Array.isArray(value) ? value : [value]
  const evidence = items.map(readEvidence)
  return evidence.every((each) => each !== undefined)
    ? { kind: 'session', evidence }
    : `its source is neither '${BY_HAND}' nor a list of session, entry, by and quote`
}

const SPEAKERS: readonly Speaker[] = ['user', 'assistant', 'tool']

function readEvidence(value: unknown): Evidence | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { session, entry, by, quote, project } = value as Record<string, unknown>
  const speaker = SPEAKERS.find((each) => each === by)
  if (typeof session !== 'string' || typeof entry !== 'string' || typeof quote !== 'string' || !speaker)
    return undefined
  return { session, entry, by: speaker, quote, ...(typeof project === 'string' && { project }) }
}

function writeSource(source: Source): unknown {
  if (source.kind === 'hand') return BY_HAND
  return source.kind === 'imported' ? `${IMPORTED}${source.from}` : source.evidence
}

function readGone(value: unknown): Gone | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { how, into, reason, on } = value as Record<string, unknown>
  const known = (['merged', 'superseded', 'archived', 'forgotten'] as const).find((each) => each === how)
  if (!known) return undefined
  return { how: known, ...(typeof into === 'string' && { into }), reason: String(reason ?? ''), on: dayOf(on) ?? '' }
}

function dayOf(value: unknown): string | undefined {
  const text = value instanceof Date ? value.toISOString().slice(0, 10) : String(value)
  return DAY.test(text) ? text : undefined
}

const TITLE_WORDS = 7
const OPEN_END =
  /[\s,;:–—-]+(?:because|since|as|and|or|but|with|without|the|a|an|of|to|in|on|at|by|for|from|is|are|that|which|so)?$/i

/** A name for what a text says: its first words, up to where a clause ends. */
export function titleOf(text: string): string {
  const words = oneLine(text)
    .replace(/[.!:;]+$/, '')
    .split(' ')
  const first = words.slice(0, TITLE_WORDS).join(' ').slice(0, 60)
  const clause = words.length > TITLE_WORDS ? (/^(.{12,}?)[,;:](?=\s|$)/.exec(first)?.[1] ?? first) : first
  let title = clause
  while (words.length > TITLE_WORDS && OPEN_END.test(title) && title.length > 8) title = title.replace(OPEN_END, '')
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}`
}
