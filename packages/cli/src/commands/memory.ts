import { resolve } from 'node:path'
import { isNacreError, NacreError } from '@nacre/core'
import { formatView, type Memories, type MemoryType, runMemoryWords } from '@nacre/dream'
import { memoriesOf } from '../session/look-at-memory.js'
import { matchSessions } from '../session/project-store.js'
import { cleanText } from '../terminal/clean-text.js'
import { EXIT, type Terminal } from '../terminal/terminal.js'
import { editMemory, readStdin } from './edit-memory.js'
import { type CommandPlace, commandPlace } from './find-session.js'

import { purgeMemory } from './purge-memory.js'

/** What the words after `nacre memory` may carry. */
export interface MemoryFlags {
  readonly json?: boolean
  readonly all?: boolean
  readonly type?: MemoryType
  readonly person?: boolean
  readonly project?: boolean
  readonly name?: string
  readonly text?: string
  readonly yes?: boolean
  readonly logs?: boolean
  readonly off?: boolean
}

interface MemoryRequest {
  readonly word: string
  readonly args: readonly string[]
  readonly flags: MemoryFlags
}

/** What a word works with. */
interface MemoryCall extends MemoryRequest {
  readonly terminal: Terminal
  readonly place: CommandPlace
  readonly memories: Memories
  /** What follows the word, as one text. */
  readonly rest: string
}

/** Does what a line after `nacre memory` says; gives the exit code. */
export async function runMemory(terminal: Terminal, request: MemoryRequest): Promise<number> {
  const place = commandPlace(terminal)
  const memories = await memoriesOf(place, terminal.now)
  const call = { ...request, terminal, place, memories, rest: request.args.join(' ').trim() }
  const {
    json,
    text,
    code = EXIT.done,
  } = await (OWN[request.word] ?? (() => inWords(call)))(call).catch(async (error: unknown) => {
    throw await withHint(error, call)
  })
  const said = request.flags.json ? JSON.stringify(json, null, 2) : cleanText(text).trimEnd()
  if (said !== '') terminal.stdout.write(`${said}\n`)
  return code
}

interface Said {
  /** For scripts. */
  readonly json?: unknown
  readonly text: string
  readonly code?: number
}

/** For scripts, what each word that only looks gives. */
const LOOKS: Readonly<Record<string, (call: MemoryCall) => Promise<unknown>>> = {
  list: ({ memories, flags }) => memories.list({ withArchive: flags.all ?? false }),
  show: ({ memories, rest }) => memories.show(rest),
  search: ({ memories, rest }) => memories.search(rest),
  log: ({ memories, rest }) => memories.log(rest === '' ? {} : { memory: rest }),
  diff: ({ memories, rest }) => memories.diff(rest),
  blame: ({ memories, rest }) => memories.blame(rest),
  inbox: ({ memories }) => memories.inbox(),
  cost: ({ memories }) => memories.cost(),
}

/** In the words that a session uses too, so that both say the same. */
async function inWords(call: MemoryCall): Promise<Said> {
  const { memories, word, rest, flags } = call
  if (flags.json) return { json: await LOOKS[word]?.(call), text: '' }
  const options = [...(flags.all ? ['--all'] : []), ...(flags.off ? ['--off'] : [])]
  return { text: await runMemoryWords(memories, [word, rest, ...options].join(' ')) }
}

/** Those that do more than a session could, or end with a code of their own. */
const OWN: Readonly<Record<string, (call: MemoryCall) => Promise<Said>>> = {
  async add({ memories, terminal, rest, flags: { type, name, person, project } }) {
    const text = rest === '' ? await readStdin(terminal, 'Give a text to remember') : rest
    const scope = person ? ('person' as const) : project ? ('project' as const) : undefined
    const view = await memories.add(text, { ...(type && { type }), ...(name && { name }), ...(scope && { scope }) })
    return { json: view, text: `Saved: ${formatView(view)}` }
  },
  async verify({ memories }) {
    const findings = await memories.verify()
    const text = await runMemoryWords(memories, 'verify')
    return { json: findings, text, code: findings.length > 0 ? EXIT.failed : EXIT.done }
  },
  async import({ memories, terminal, args, flags }) {
    const paths = args.map((path) => resolve(terminal.cwd, path))
    const imported = await memories.import(paths, flags.person ? { scope: 'person' } : {})
    const { added, left } = imported
    const text = [`Imported ${added.length} memories.`, ...left.map((why) => `Left out: ${why}.`)].join('\n')
    return { json: imported, text, code: added.length === 0 ? EXIT.failed : EXIT.done }
  },
  edit: async ({ terminal, memories, rest, flags: { text } }) => ({
    text: await editMemory(terminal, memories, rest, text),
  }),
  purge: async ({ terminal, memories, place, rest, flags }) =>
    purgeMemory(terminal, { memories, place, wanted: rest, isSure: flags.yes ?? false, withLogs: flags.logs ?? false }),
}

/** `nacre memory show latest` once showed the notes of a session: whoever means a session is told where those are. */
async function withHint(error: unknown, { word, rest, place }: MemoryCall): Promise<unknown> {
  if (word !== 'show' || !isNacreError(error, 'NOT_FOUND')) return error
  const isSession = rest === 'latest' || (await matchSessions(place.store, rest)).length > 0
  const named = /\s/.test(rest) ? `"${rest}"` : rest
  return isSession
    ? new NacreError('NOT_FOUND', `${error.message} Notes of a session are shown by: nacre notes show ${named}`)
    : error
}
