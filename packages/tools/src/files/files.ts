import { dirname } from 'node:path'
import {
  definePlugin,
  estimateText,
  type Handler,
  type HookContext,
  type Json,
  type LeftOut,
  type Plugin,
  type Restored,
  type Restorer,
  type View,
} from '@nacre/core'
import { oneAtATime } from '../async.js'
import { keptRounds, stateEntry } from '../conversation.js'
import type { ShownTool } from '../define-tool.js'
import { isInstructionFile, type PathGuard, PLANS_FOLDER, realPath } from '../paths.js'
import { headOf } from '../text.js'
import {
  type EditInput,
  editTool,
  type MultiEditInput,
  multiEditTool,
  type WriteInput,
  writeTool,
} from './edit-tools.js'
import { type NotebookEditInput, notebookEditTool } from './notebook-tool.js'
import { type ReadInput, readTool } from './read-tool.js'
import { createSightings, OWNER, sightingsOf } from './sightings.js'
import { bytesAt, decodeText, numbered, toLf } from './text-file.js'

/** Read, Write, Edit, MultiEdit and NotebookEdit, and the files last worked with back in view after a fold. */
export function files(options: FileToolOptions = {}): Plugin {
  return definePlugin({
    name: OWNER,
    scope: 'all',
    setup({ cwd }) {
      const { read, write, edit, multiEdit, notebookEdit } = fileTools(options)
      return {
        tools: [read, write, edit, multiEdit, notebookEdit],
        hooks: { PostToolUse: noteRecent(cwd) },
        restorers: [filesRestorer],
      }
    },
  })
}

export interface FileToolOptions {
  /** Asked again with what a call has really opened, before it is used. */
  readonly guard?: PathGuard
}

export interface FileTools {
  readonly read: ShownTool<ReadInput>
  readonly write: ShownTool<WriteInput>
  readonly edit: ShownTool<EditInput>
  readonly multiEdit: ShownTool<MultiEditInput>
  readonly notebookEdit: ShownTool<NotebookEditInput>
}

/** Tools that read and change files. They know of one another: what one has read the others may change. */
export function fileTools({ guard }: FileToolOptions = {}): FileTools {
  const tools = { guard, sightings: createSightings(), patches: new WeakMap<object, string>() }
  return {
    read: readTool(tools),
    write: writeTool(tools),
    edit: editTool(tools),
    multiEdit: multiEditTool(tools),
    notebookEdit: notebookEditTool(tools),
  }
}

const RECENT = 'recent'
const KEPT_FILES = 20
const FILE_TOOLS: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit'])

/** The files that the model has worked with, by their real paths, newest first. */
function recentFiles(view: View): readonly string[] {
  return (view.state(OWNER, RECENT) ?? []) as readonly string[]
}

/** Keeps the list of them. Calls may end side by side, so each looks at what the one before has written. */
function noteRecent(cwd: string): Handler<'PostToolUse'> {
  const inOrder = oneAtATime()
  return async ({ call, value }, context) => {
    const path = pathIn(call.input)
    if (!FILE_TOOLS.has(call.name) || value.isError || path === undefined) return
    await inOrder(() => add(path, context))
  }

  async function add(path: string, { view, store }: HookContext): Promise<void> {
    const real = await realPath(path, cwd)
    const recent = recentFiles(view())
    if (recent[0] === real) return
    const all = [real, ...recent.filter((other) => other !== real)].slice(0, KEPT_FILES)
    await store.append([stateEntry(OWNER, RECENT, all)])
  }
}

function pathIn(input: Json): string | undefined {
  const { file_path, notebook_path = file_path } = Object(input) as { file_path?: unknown; notebook_path?: unknown }
  return typeof notebook_path === 'string' ? notebook_path : undefined
}

const MOST_FILES = 5
const ALL_TOKENS = 50_000
const FILE_TOKENS = 5_000
/** The estimated tokens of what stands around a file. */
const FRAME = 100

/** Brings the files that were last worked with back after a fold, as they are on disk by then. */
const filesRestorer: Restorer = {
  name: 'files',
  budget: ALL_TOKENS,
  async restore(event) {
    const rounds = keptRounds(event)
    const isShown = (path: string) => sightingsOf(event.view, path, rounds).some(({ shown }) => shown !== '')
    const paths = recentFiles(event.view).filter((path) => !isElsewhere(path) && !isShown(path))
    const { scale, factor } = event.view.tokens
    // Figures are real tokens, and texts can only be estimated.
    const most = Math.min(FILE_TOKENS * scale, event.budget) / factor - FRAME
    const restored: Restored[] = []
    const leftOut: LeftOut[] = []
    for (const path of paths) {
      const file = restored.length < MOST_FILES ? await restoredFile(path, most, event.signal) : TOO_MANY
      if ('why' in file) leftOut.push({ what: path, ...file })
      else restored.push({ what: path, status: 'live', ...file })
    }
    return [...restored, ...leftOut]
  },
}

/** Instructions and plans come back by those who keep them. */
function isElsewhere(path: string): boolean {
  return isInstructionFile(path) || dirname(path).endsWith(PLANS_FOLDER)
}

type RestoredFile = Pick<Restored, 'text' | 'cut' | 'shorten'>
type Skipped = Pick<LeftOut, 'why'>

const TOO_MANY: Skipped = { why: `only the ${MOST_FILES} worked with last come back` }
const GONE = 'It can not be read any more: it was removed or moved since you last worked with it.'

async function restoredFile(path: string, most: number, signal: AbortSignal): Promise<RestoredFile | Skipped> {
  const found = await bytesAt(path, signal).catch(() => signal.throwIfAborted())
  if (!found) return { text: GONE }
  const file = decodeText(found.bytes)
  if (!file) return { why: 'it is no text' }
  const lines = toLf(file.text).replace(/\n$/, '').split('\n')
  return { ...cut(lines, most), shorten: (tokens) => cut(lines, tokens) }
}

const HEAD = 'As it is on disk now. Read it again before you change it.'

/** As many lines as fit, with their numbers. */
function cut(all: readonly string[], tokens: number): Pick<Restored, 'text' | 'cut'> {
  const room = tokens - estimateText(`${HEAD}\n`)
  const write = (line: string, number: number) => numbered([line], number)
  const { lines, marker, cut: missing } = headOf(all, room, { rest: 'Read it for the others.', write })
  const text = [HEAD, ...lines, ...(marker === '' ? [] : [marker])].join('\n')
  return { text, ...(missing !== undefined && { cut: missing }) }
}
