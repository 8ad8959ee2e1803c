import type { createRanker } from '@nacre/core'
import type { Workspace } from '../change/workspace.js'
import { SCOPES, type Scope } from '../folders/memory-folder.js'
import type { Said } from '../logs/logs.js'
import { DAILY_LOGS, INDEX_FILE, type Memory, statementOf } from '../memory/memory.js'
import { rankedText } from '../rules/probes.js'
import { pathOf } from './draft-file.js'
import { displayPath } from './editor.js'
import type { MemoryCommand } from './memory-command.js'

type Workspaces = Readonly<Record<Scope, Pick<Workspace, 'files' | 'memories'>>>

/** Shows a file with numbered lines, or what there is. */
export function viewMemories(
  workspaces: Workspaces,
  { path, range }: Extract<MemoryCommand, { command: 'view' }>,
): string {
  const place = pathOf(path)
  if (place.path === '' || path.trim().endsWith('/')) return listAll(workspaces)
  const text = workspaces[place.scope].files().get(place.path)
  if (text === undefined) throw new Error(`There is no file ${path}.`)
  const lines = text.split('\n')
  const [from, to] = range ?? [1, lines.length]
  const end = to === -1 ? lines.length : to
  const shown = lines
    .slice(Math.max(0, from - 1), end)
    .map((line, index) => `${String(from + index).padStart(6)}\t${line}`)
  return `${path}, with line numbers:\n${shown.join('\n')}`
}

function listAll(workspaces: Workspaces): string {
  const lines = SCOPES.flatMap((scope) => {
    const { live } = workspaces[scope].memories()
    const logs = [...workspaces[scope].files().keys()].filter((path) => path.startsWith(DAILY_LOGS)).slice(-5)
    return [
      ...[...live.values()].map((memory) => memoryLine(scope, memory)),
      ...logs.map((path) => displayPath(scope, path)),
    ]
  })
  return lines.length > 0
    ? `Files below /memories (${INDEX_FILE} lists what is in the prompt):\n${lines.join('\n')}`
    : 'There are no memories yet.'
}

/** A memory in a line, for the model. */
export function memoryLine(scope: Scope, { path, type, confirmed, name, description }: Memory): string {
  return `${displayPath(scope, path)} (${type}, ${confirmed}) ${name} — ${description}`
}

const HITS = 8
const EXCERPT = 300

/** Memories that fit words, best first. */
export function searchMemories(workspaces: Workspaces, query: string, newRanker: typeof createRanker): string {
  const ranker = newRanker()
  const places = new Map<string, { readonly scope: Scope; readonly memory: Memory }>()
  for (const scope of SCOPES) {
    for (const memory of workspaces[scope].memories().live.values()) {
      places.set(memory.id, { scope, memory })
      ranker.add({ id: memory.id, text: rankedText(memory), group: memory.id })
    }
  }
  const found = ranker.rank(query, { limit: HITS }).flatMap(({ id }) => places.get(id) ?? [])
  if (found.length === 0) return 'No memory fits.'
  return found.map(({ scope, memory }) => `${memoryLine(scope, memory)}\n  ${statementOf(memory)}`).join('\n')
}

/** Searches what was said, in short pieces. */
export function searchSaid(
  ranker: ReturnType<typeof createRanker>,
  said: ReadonlyMap<string, Said>,
  query: string,
): string {
  const found = ranker.rank(query, { limit: HITS, user: 'user' }).flatMap(({ id }) => said.get(id) ?? [])
  if (found.length === 0) return 'Nothing that was said fits.'
  return found
    .map(
      ({ session, by, time, text }) =>
        `[${session}, ${new Date(time).toISOString().slice(0, 10)}, ${by}] ${excerpt(text, query)}`,
    )
    .join('\n')
}

function excerpt(text: string, query: string): string {
  const line = text.replace(/\s+/g, ' ')
  const word = query.split(/\s+/).find((each) => each.length > 3 && line.toLowerCase().includes(each.toLowerCase()))
  const at = word === undefined ? 0 : line.toLowerCase().indexOf(word.toLowerCase())
  const start = Math.max(0, at - EXCERPT / 3)
  return `${start > 0 ? '…' : ''}${line.slice(start, start + EXCERPT)}${start + EXCERPT < line.length ? '…' : ''}`
}
