import { dirname, join } from 'node:path'
import {
  type AssistantEntry,
  type BlockRef,
  type Dispatcher,
  definePlugin,
  type Handler,
  type Id,
  type InstructionsEvent,
  type Plugin,
  type Rule,
  type View,
} from '@nacre/core'
import { stateEntry } from '../conversation.js'
import { foldersBetween, INSTRUCTION_NAMES, isWithin, LOCAL_INSTRUCTION_NAMES, realPath } from '../paths.js'
import {
  type InstructionFile,
  type InstructionsOptions,
  loadFile,
  loadInstructions,
  startLoading,
} from './load-instructions.js'

/**
 * Brings AGENTS.md, CLAUDE.md and NACRE.md into the system prompt, at the start and again at a fold from the start, and
 * those of folders further down when a file there is read.
 */
export function instructions(options: InstructionsOptions = {}): Plugin {
  return definePlugin({
    name: OWNER,
    scope: 'all',
    setup({ cwd }) {
      let rules: readonly Rule[] = []
      /** Read for the prompt, and not told of yet: sections are written before there are hooks to hear of it. */
      let untold: readonly InstructionFile[] = []
      return {
        prompt: [
          {
            name: OWNER,
            scope: 'session',
            async text() {
              const files = await loadInstructions(cwd, options)
              rules = files.map(({ path, hash }) => ({ path, hash }))
              untold = files
              return formatInstructions(files)
            },
            rules: () => rules,
          },
        ],
        hooks: {
          async SessionStart({ source }, { hooks }) {
            const files = untold
            untold = []
            const why = source === 'clear' || source === 'compact' ? source : 'start'
            for (const file of files) await tellLoaded(hooks, file, why)
          },
          PreModelCall: nestedInstructions(cwd, options),
        },
      }
    },
  })
}

const OWNER = 'instructions'
async function tellLoaded(
  hooks: Dispatcher,
  { path, kind, importedBy }: InstructionFile,
  why: InstructionsEvent['why'],
): Promise<void> {
  await hooks.collect('InstructionsLoaded', { path, kind, why, ...(importedBy !== undefined && { importedBy }) })
}

/** The tag of a note inside the result of a read. */
const NESTED = 'nested_memory'

/**
 * Adds the instructions of the folders on the path of a file that was read, as notes inside the result: once, as long
 * as the view has the result that they were given in, and again when they are others. It works before a request and not
 * after a call, since a result has a place to put notes in only when it is in the log.
 */
function nestedInstructions(cwd: string, options: InstructionsOptions): Handler<'PreModelCall'> {
  return async ({ view }, { hooks, note, store }) => {
    const given = new Set<string>()
    for (const { call, path, result } of openReads(view)) {
      for (const file of await onTheWay(path, cwd, options)) {
        if (given.has(file.path) || isInView(view, file)) continue
        given.add(file.path)
        const value = { call, hash: file.hash }
        await store.append([stateEntry(OWNER, file.path, value)])
        note({ text: framed(NESTED, file), trust: 'content', tag: NESTED, inside: result })
        await tellLoaded(hooks, file, 'nested')
      }
    }
  }
}

function isInView(view: View, { path, hash }: InstructionFile): boolean {
  const given = view.state(OWNER, path) as { readonly call: string; readonly hash: string } | undefined
  return given !== undefined && given.hash === hash && hasResult(view, given.call)
}

function hasResult({ rounds }: View, call: Id): boolean {
  const blocks = rounds.flatMap(({ entries }) => entries.flatMap(({ content }) => content))
  return blocks.some(({ type, tool_use_id }) => type === 'tool_result' && tool_use_id === call)
}

/** The instructions of the folders below the working directory that a file lies in; the file itself has been read. */
async function onTheWay(path: string, cwd: string, options: InstructionsOptions): Promise<readonly InstructionFile[]> {
  const [base, file] = await Promise.all([realPath(cwd), realPath(path, cwd)])
  const loading = await startLoading(cwd, options)
  const found: InstructionFile[] = []
  const folders = isWithin(base, dirname(file)) ? foldersBetween(base, dirname(file)).slice(1) : []
  for (const folder of folders) {
    for (const name of [...INSTRUCTION_NAMES, ...LOCAL_INSTRUCTION_NAMES]) {
      found.push(...(await loadFile(loading, 'nested', join(folder, name))))
    }
  }
  return found.filter((each) => each.path !== file)
}

/** A file that was read by a call whose result the model has not answered yet. */
interface OpenRead {
  readonly call: Id
  readonly path: string
  readonly result: BlockRef
}

/**
 * The reads of the last answer, in the order of their calls, with where their results are. Those that failed have read
 * nothing.
 */
function openReads(view: View): readonly OpenRead[] {
  const entries = view.rounds.at(-1)?.entries ?? []
  const at = entries.findLastIndex(({ kind }) => kind === 'assistant')
  const results = new Map<Id, BlockRef>()
  for (const { id, content } of entries.slice(at + 1)) {
    content.forEach(({ type, tool_use_id, is_error }, block) => {
      if (type === 'tool_result' && !is_error) results.set(String(tool_use_id), { entry: id, block })
    })
  }
  return pathsIn(entries[at] as AssistantEntry | undefined).flatMap(({ call, path }) => {
    const result = results.get(call)
    return result ? [{ call, path, result }] : []
  })
}

function pathsIn(answer: AssistantEntry | undefined): readonly Omit<OpenRead, 'result'>[] {
  return (answer?.content ?? []).flatMap(({ type, id, name, input }) => {
    const { file_path } = Object(input) as { readonly file_path?: unknown }
    const isRead = type === 'tool_use' && name === 'Read' && typeof file_path === 'string'
    return isRead ? [{ call: String(id), path: file_path }] : []
  })
}

const HEAD = `Instructions from files that are kept for agents. They come from the general to the particular: where two of them contradict, the later one holds. What the user says stands above them.`

/** The section of the system prompt; `undefined` without instructions. */
function formatInstructions(files: readonly InstructionFile[]): string | undefined {
  return files.length === 0 ? undefined : [HEAD, ...files.map((file) => framed(OWNER, file))].join('\n\n')
}

/** The text can not leave its frame. */
function framed(tag: string, { kind, path, text, importedBy }: InstructionFile): string {
  const name = (value: string) => value.replace(/["<>\n]/g, ' ')
  const origin = importedBy === undefined ? '' : ` imported-by="${name(importedBy)}"`
  const body = text.replaceAll(`</${tag}`, `<\\/${tag}`).trim()
  return `<${tag} kind="${kind}" path="${name(path)}"${origin}>\n${body}\n</${tag}>`
}
