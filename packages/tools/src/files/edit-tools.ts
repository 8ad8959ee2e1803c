import type { ToolContext, ToolResult, Verdict } from '@nacre/core'
import { type StructuredPatchHunk, structuredPatch } from 'diff'
import { z } from 'zod'
import { defineTool, type ShownTool, textOf, textResult } from '../define-tool.js'
import { atPlace, type FileBytes, fileBytes, filePath, writeAtomically } from './file-access.js'
import { nearestLines, nearNames } from './nearest.js'
import { type FileToolContext, mustBeSeen } from './sightings.js'
import {
  commonEnd,
  decodeText,
  encodeText,
  fileHash,
  formatLines,
  isFaithful,
  numbered,
  type TextFile,
  toLf,
  withEnds,
} from './text-file.js'

const WRITE_DESCRIPTION = `Writes a file whole: a new one, with the folders that it needs, or another content for one that exists.
- A file that exists has to be read first, and must not have changed since. To change a part of it use Edit.
- The encoding and the line ends of a file that exists are kept.`

const writeInput = z.object({
  file_path: filePath,
  content: z.string().describe('What the file will have in it.'),
})

export type WriteInput = z.output<typeof writeInput>

/** Makes files, and replaces them whole. */
export function writeTool({ guard, sightings, patches }: FileToolContext): ShownTool<WriteInput> {
  return defineTool({
    name: 'Write',
    description: WRITE_DESCRIPTION,
    input: writeInput,
    traits: { isCompactable: true },
    check: ({ file_path }) => mayWrite(file_path),
    title: ({ file_path }) => `Write ${file_path}`,
    show: (_input, result) => shownPatch(patches, result),
    run: write,
  })

  async function write({ file_path, content }: WriteInput, context: ToolContext): Promise<ToolResult> {
    return atPlace(file_path, context, { guard, isMade: true }, async (place) => {
      const { path } = place
      const found = await fileBytes(place, context.signal)
      if (found) mustBeSeen(sightings, { path, hash: fileHash(found.bytes), stats: found.stats }, context)
      const before = textIn(found)
      const file = before ? inFormatOf(before, content) : { text: content, format: NEW_FORMAT }
      const bytes = encodeText(file)
      const stats = await writeAtomically(place, bytes, found?.stats, context.signal)
      await sightings.add({ path, hash: fileHash(bytes), changed: stats.mtimeMs, shown: '' }, context)
      const { snippet, patch } = describeChange(path, toLf(before?.text ?? ''), toLf(file.text))
      const isChange = found !== undefined && snippet !== ''
      const said = found ? `Wrote ${path} anew` : `Made ${path}`
      const lines = toLf(content).split('\n').length - (content.endsWith('\n') ? 1 : 0)
      const result = textResult(`${said}: ${formatLines(lines)}.${isChange ? ` What is new:\n${snippet}` : ''}`)
      for (const block of result.content) patches.set(block, patch)
      return result
    })
  }
}

/** What a person sees of a change: what went and came, as long as that is remembered, or else what the model was told. */
export function shownPatch(patches: FileToolContext['patches'], result: ToolResult): string {
  const [first] = result.content
  return (first && patches.get(first)) ?? textOf(result)
}

/** Writing is for a person to allow, or for a rule of theirs. */
export function mayWrite(path: string): Verdict<'ask'> {
  return { verdict: 'ask', reason: `It would write to ${path}.` }
}

/** A file that is empty or no text has no format to keep. */
function textIn(found: FileBytes | undefined): TextFile | undefined {
  return found && found.bytes.length > 0 ? decodeText(found.bytes) : undefined
}

const NEW_FORMAT = { encoding: 'utf8', hasMark: false } as const

/** Line ends that are given as `\r\n` are meant so; the others become those of the file. */
function inFormatOf({ text: old, format }: TextFile, content: string): TextFile {
  const plain = format.hasMark ? content.replace(/^\uFEFF/, '') : content
  const text = plain.includes('\r\n') ? plain : withEnds(old, plain, commonEnd(old))
  return { text, format }
}

const EDIT_DESCRIPTION = `Replaces a piece of text in a file by another one.
- The file has to be read first, and must not have changed since.
- old_string has to be in the file exactly as given, white space included and line numbers left out, and only once. Give more of the lines around it where it is not unique, or set replace_all.`

const edit = z.object({
  old_string: z.string().describe('The text to replace.'),
  new_string: z.string().describe('The text to put in its place.'),
  replace_all: z.boolean().default(false).describe('Replace every place where it is.'),
})

/** One exact replacement. */
type TextEdit = Readonly<z.output<typeof edit>>

const editInput = edit.extend({
  file_path: filePath,
})

export type EditInput = z.output<typeof editInput>

/** Replaces an exact piece of a file. */
export function editTool(tools: FileToolContext): ShownTool<EditInput> {
  return defineTool({
    name: 'Edit',
    description: EDIT_DESCRIPTION,
    input: editInput,
    traits: { isCompactable: true },
    check: ({ file_path }) => mayWrite(file_path),
    title: ({ file_path }) => `Edit ${file_path}`,
    show: (_input, result) => shownPatch(tools.patches, result),
    run: ({ file_path, ...asked }, context) => changeFile(tools, file_path, context, (text) => applyEdit(text, asked)),
  })
}

const MULTI_EDIT_DESCRIPTION = `Replaces several pieces of text in one file: all of them, or none.
- The edits are made in order, each in what the one before has left. Each follows the rules of Edit.
- The file has to be read first, and must not have changed since.`

const multiEditInput = z.object({
  file_path: filePath,
  edits: z.array(edit).min(1).describe('The edits, in order.'),
})

export type MultiEditInput = z.output<typeof multiEditInput>

/** Makes several exact replacements in one file, all or none. */
export function multiEditTool(tools: FileToolContext): ShownTool<MultiEditInput> {
  return defineTool({
    name: 'MultiEdit',
    description: MULTI_EDIT_DESCRIPTION,
    input: multiEditInput,
    traits: { isCompactable: true },
    check: ({ file_path }) => mayWrite(file_path),
    title: ({ file_path, edits }) => `Edit ${file_path} at ${edits.length} places`,
    show: (_input, result) => shownPatch(tools.patches, result),
    run: ({ file_path, edits }, context) => changeFile(tools, file_path, context, (text) => applyAll(text, edits)),
  })
}

function applyAll(text: string, edits: readonly TextEdit[]): string {
  return edits.reduce((current, each, index) => {
    try {
      return applyEdit(current, each)
    } catch (error) {
      const which = `Edit ${index + 1} of ${edits.length} can not be made, so none was.`
      throw new Error(`${which} ${(error as Error).message}`)
    }
  }, text)
}

/** Changes the text of a file that the model has seen, all at once. `change` throws what speaks against it, and may say what it did. */
export async function changeFile(
  { guard, sightings, patches }: FileToolContext,
  asked: string,
  context: ToolContext,
  change: (text: string) => string | { readonly text: string; readonly said: string },
): Promise<ToolResult> {
  return atPlace(asked, context, { guard }, async (place) => {
    const { path, folder, name } = place
    const found = await fileBytes(place, context.signal)
    if (!found) {
      throw new Error(`There is no file ${path}. A new one is made with Write.${await nearNames(folder, name)}`)
    }
    const file = decodeText(found.bytes)
    if (!file) throw new Error(`${path} is a binary file: it has no text that could be replaced.`)
    if (!isFaithful(file, found.bytes)) {
      throw new Error(
        `${path} has bytes that are no ${file.format.encoding}, as which it begins: a change of its text would lose ` +
          'them. Change it with a program that works on bytes.',
      )
    }
    mustBeSeen(sightings, { path, hash: fileHash(found.bytes), stats: found.stats }, context)
    const changed = change(file.text)
    const { text, said = 'Changed' } = typeof changed === 'string' ? { text: changed } : changed
    const bytes = encodeText({ ...file, text })
    const stats = await writeAtomically(place, bytes, found.stats, context.signal)
    await sightings.add({ path, hash: fileHash(bytes), changed: stats.mtimeMs, shown: '' }, context)
    const { snippet, patch } = describeChange(path, toLf(file.text), toLf(text))
    const result = textResult(
      `${said === 'Changed' ? said : `${said} in`} ${path}.${snippet === '' ? '' : ` It now has:\n${snippet}`}`,
    )
    for (const block of result.content) patches.set(block, patch)
    return result
  })
}

/**
 * Replaces in a text whose line ends are as they are on disk; the model knows `\n` only. Throws, with words for the
 * model, when the text is not there, there more than once, or would stay as it is.
 */
function applyEdit(raw: string, { old_string, new_string, replace_all }: TextEdit): string {
  const [old, text, plain] = [toLf(old_string), toLf(new_string), toLf(raw)]
  if (old === '') throw new Error('old_string is empty: give the text to replace. A new file is made with Write.')
  if (old === text) throw new Error('old_string and new_string are the same: nothing would change.')
  const found = placesOf(plain, old)
  if (found.length === 0) throw new Error(`old_string is not in the file.${nearestLines(plain, old)}`)
  const meant = replace_all ? [] : withOverlap(plain, old, found)
  if (meant.length > 1) throw new Error(notUnique(plain, meant))
  const common = commonEnd(raw)
  const onDisk = offsets(raw)
  let result = ''
  let end = 0
  for (const place of found) {
    const [from, to] = [onDisk(place), onDisk(place + old.length)]
    result += raw.slice(end, from) + withEnds(raw.slice(from, to), text, common)
    end = to
  }
  return result + raw.slice(end)
}

function placesOf(text: string, old: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length)) places.push(at)
  return places
}

/** A place that overlaps the only one found may be meant as well. */
function withOverlap(text: string, old: string, places: readonly number[]): readonly number[] {
  const [first = 0, ...others] = places
  const next = others.length > 0 ? -1 : text.indexOf(old, first + 1)
  return next < 0 ? places : [first, next]
}

const NAMED_LINES = 10

function notUnique(text: string, places: readonly number[]): string {
  const lines = places.slice(0, NAMED_LINES).map((place) => text.slice(0, place).split('\n').length)
  const more = places.length > lines.length ? ' and more' : ''
  return (
    `old_string is in the file ${places.length} times, at lines ${lines.join(', ')}${more}. Give more of the lines ` +
    'around the one that is meant, or set replace_all to replace every one.'
  )
}

/** Where a place in the text with `\n` is in the text on disk. Must be asked in rising order. */
function offsets(raw: string): (place: number) => number {
  let wide = 0
  let next = raw.indexOf('\r\n')
  return (place) => {
    while (next >= 0 && next - wide < place) {
      wide += 1
      next = raw.indexOf('\r\n', next + 2)
    }
    return place + wide
  }
}

/** A change of a text, for the model and for people. */
interface ChangeDescription {
  /** The new lines with their numbers, with some of those around them. */
  readonly snippet: string
  /** The lines that went and came. */
  readonly patch: string
}

const CONTEXT = 3
const MOST_LINES = 40
/** A comparison of texts that have little in common would take long and tell nothing. */
const MOST_CHANGES = 1_000

/** Both texts have `\n` at their line ends. */
function describeChange(path: string, before: string, after: string): ChangeDescription {
  const options = { context: CONTEXT, maxEditLength: MOST_CHANGES }
  const hunks = structuredPatch(path, path, before, after, '', '', options)?.hunks
  if (!hunks) return { snippet: '', patch: `${path}: most of it is new` }
  return { snippet: snippetOf(hunks), patch: patchOf(path, hunks) }
}

function snippetOf(hunks: readonly StructuredPatchHunk[]): string {
  let room = MOST_LINES
  const parts: string[] = []
  for (const { lines, newStart } of hunks) {
    const now = lines.filter((line) => line.startsWith(' ') || line.startsWith('+')).map((line) => line.slice(1))
    const shown = now.slice(0, room)
    if (shown.length > 0) parts.push(numbered(shown, newStart))
    if (shown.length < now.length) parts.push('…')
    room -= shown.length
    if (room <= 0) break
  }
  return parts.join('\n…\n').replace('\n…\n…', '\n…')
}

function patchOf(path: string, hunks: readonly StructuredPatchHunk[]): string {
  const lines = hunks.flatMap((hunk) => [`@@ line ${hunk.newStart} @@`, ...hunk.lines])
  const added = lines.filter((line) => line.startsWith('+')).length
  const removed = lines.filter((line) => line.startsWith('-')).length
  const more = lines.length - MOST_LINES
  const shown = more > 0 ? [...lines.slice(0, MOST_LINES), `… ${more} more lines`] : lines
  return [`${path}: ${added} added, ${removed} removed`, ...shown].join('\n')
}
