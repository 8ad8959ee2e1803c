import type { Id } from '@nacre/core'
import { memoryAt, type Workspace } from '../change/workspace.js'
import type { Scope } from '../folders/memory-folder.js'
import type { Said } from '../logs/logs.js'
import {
  ARCHIVE,
  type Evidence,
  evidenceOf,
  freePath,
  INDEX_FILE,
  isDamage,
  isMemoryPath,
  type Memory,
  oneLine,
  readMemory,
  statementOf,
  titleOf,
  toDay,
} from '../memory/memory.js'
import { findQuote, isNegated, similarity } from '../memory/statement.js'
import { CRITERIA } from '../rules/criteria.js'
import { isSaid, objectionTo, type Surroundings, sameAs, type Witness } from '../rules/judge.js'
import { type Place, pathOf, readDraft } from './draft-file.js'
import type { MemoryCommand } from './memory-command.js'

const LONGEST_PATH = 100
const PLAIN_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}._ -]*\.md$/u

/** What the commands of one caller work on. */
export interface EditorContext {
  readonly workspaces: Readonly<Record<Scope, Workspace>>
  readonly witnesses: Witnesses
  readonly surroundings: Surroundings
  /** The folder that the session works in, where memories of the person have to name it. */
  readonly project: string
  now(): number
  newId(): Id
}

/** Carries out the writing commands on copies. What is wrong is thrown, with words for the model. */
export interface Editor {
  write(command: Exclude<MemoryCommand, { readonly command: 'view' | 'search' }>): Promise<string>
  /** Evidence that was looked up on the way. */
  vouched(): readonly Evidence[]
}

export function createEditor(context: EditorContext): Editor {
  const { workspaces, now } = context
  const vouched: Evidence[] = []
  const at = (path: string): Place & { readonly memory: Memory } => {
    const place = pathOf(path)
    const memory = memoryAt(workspaces[place.scope].files(), place.path)
    if (!memory || place.path.startsWith(ARCHIVE)) throw new Error(`There is no memory ${path}. View /memories first.`)
    return { ...place, memory }
  }
  const retire = (path: string, how: 'merged' | 'superseded' | 'archived', reason: string, into?: Id) => {
    const { scope, memory } = at(path)
    const gone = { how, reason, on: toDay(now()), ...(into !== undefined && { into }) }
    workspaces[scope].retire(memory, gone)
    return memory
  }
  return {
    vouched: () => vouched,
    async write(command) {
      switch (command.command) {
        case 'create':
          return create(context, command, vouched)
        case 'str_replace': {
          const place = at(command.path)
          const text = workspaces[place.scope].files().get(place.path) ?? ''
          const times = text.split(command.old).length - 1
          if (times !== 1)
            throw new Error(`old_str stands ${times} times in ${command.path}; it has to stand there once.`)
          return reword(
            context,
            place,
            text.replace(command.old, () => command.next),
          )
        }
        case 'insert': {
          const place = at(command.path)
          const lines = (workspaces[place.scope].files().get(place.path) ?? '').split('\n')
          lines.splice(command.line, 0, command.text.replace(/\n$/, ''))
          return reword(context, place, lines.join('\n'))
        }
        case 'delete':
          return `${retire(command.path, 'archived', command.reason || 'no longer of use').name} is archived.`
        case 'rename': {
          const { scope, memory } = at(command.path)
          const to = placeFor(command.to)
          if (to.scope !== scope) throw new Error('A memory stays with its person or project.')
          if (workspaces[scope].files().has(to.path)) throw new Error(`${command.to} is there already.`)
          workspaces[scope].rename(memory, to.path, `${memory.name}: renamed to ${to.path}`)
          return `${command.path} is ${command.to} now.`
        }
        case 'merge':
          return merge(context, at, retire, command)
        default: {
          const { memory: by, scope } = at(command.by)
          if (at(command.path).scope !== scope)
            throw new Error('Both have to be of the person, or both of the project.')
          const gone = retire(command.path, 'superseded', command.reason, by.id)
          return `${gone.name} is superseded by ${by.name}.`
        }
      }
    },
  }
}

type Find = (path: string) => Place & { readonly memory: Memory }
type Retire = (path: string, how: 'merged', reason: string, into: Id) => Memory

function merge(
  { workspaces, now }: EditorContext,
  at: Find,
  retire: Retire,
  { paths, into, reason }: Extract<MemoryCommand, { command: 'merge' }>,
): string {
  const target = at(into)
  for (const path of paths) {
    const { memory, scope } = at(path)
    if (memory.id === target.memory.id) throw new Error(`${path} can not become part of itself.`)
    if (scope !== target.scope) throw new Error('All have to be of the person, or all of the project.')
  }
  const merged = paths.map((path) => at(path).memory)
  // Evidence comes along by itself, so that no fact loses its source.
  const own = evidenceOf(target.memory)
  const added = merged
    .flatMap(evidenceOf)
    .filter((each) => !own.some((known) => JSON.stringify(known) === JSON.stringify(each)))
  if (added.length > 0 && target.memory.source.kind === 'session') {
    const source = { kind: 'session' as const, evidence: [...own, ...added] }
    const confirmed =
      [target.memory, ...merged]
        .map((each) => each.confirmed)
        .sort()
        .at(-1) ?? toDay(now())
    workspaces[target.scope].put({ ...target.memory, source, confirmed }, `${target.memory.name}: gains evidence`)
  }
  for (const path of paths) retire(path, 'merged', reason, target.memory.id)
  return `${merged.map(({ name }) => name).join(', ')} ${merged.length === 1 ? 'is' : 'are'} part of ${target.memory.name} now.`
}

/** A new text for a memory. Its head stays but for name and description; what it says is held against the old text later. */
function reword({ workspaces }: EditorContext, { scope, path, memory }: ReturnType<Find>, text: string): string {
  const read = readMemory(path, text)
  if (isDamage(read)) throw new Error(`The file would be no memory: ${read.problem}.`)
  if (read.id !== memory.id) throw new Error('The id of a memory stays as it is.')
  if (JSON.stringify(read.source) !== JSON.stringify(memory.source))
    throw new Error('The source of a memory stays as it is.')
  const head = ({ type, created, confirmed, isPinned, gone, rest }: Memory) =>
    JSON.stringify([type, created, confirmed, isPinned, gone, rest])
  if (head(read) !== head(memory)) throw new Error('Of the head only name and description may be changed.')
  workspaces[scope].put(read, `${memory.name}: reworded`)
  return `${path} is changed.`
}

async function create(
  context: EditorContext,
  { path, text }: Extract<MemoryCommand, { command: 'create' }>,
  vouched: Evidence[],
): Promise<string> {
  const { workspaces, witnesses, surroundings, now } = context
  const place = placeFor(path)
  const draft = readDraft(text)
  const { home } = CRITERIA[draft.type]
  const scope = home === 'either' ? place.scope : home
  const workspace = workspaces[scope]
  if (workspace.files().has(place.path)) throw new Error(`${path} is there already. Use str_replace, or another path.`)
  const found = draft.quotes.map((quote) => ({ quote, witness: findWitness(witnesses, quote) }))
  const evidence = found.map(({ quote, witness }) => evidenceFor(quote, witness?.said, scope, context))
  const day = toDay(now())
  const statement = statementOf(draft)
  const said = [statement, ...found.map(({ witness }) => witness?.said.text ?? '')].join('\n')
  const memory: Memory = {
    id: context.newId(),
    path: freePath(place.path.replace(/\.md$/, ''), (taken) => workspace.files().has(taken)),
    // Both stand in prompts: where they say what nobody said, the statement itself takes their place.
    name: isSaid(draft.name, said) ? draft.name : titleOf(statement),
    description: isSaid(draft.description, said) ? draft.description : oneLine(statement),
    type: draft.type,
    source: { kind: 'session', evidence },
    created: day,
    confirmed: day,
    isPinned: false,
    body: draft.body,
    rest: {},
  }
  const objection = await objectionTo(
    memory,
    found.map(({ witness }) => witness),
    surroundings,
  )
  if (objection !== undefined) throw new Error(`Refused: ${objection}.`)
  vouched.push(...evidence)
  const same = sameAs(memory, workspace.memories().live.values())
  if (same) return confirm(context, scope, same, evidence)
  workspace.put(memory, `${memory.name}: new, from "${evidence[0]?.quote.slice(0, 80) ?? ''}"`)
  return `${displayPath(scope, memory.path)} is saved.${contrary(memory, workspace)}`
}

/** Where a memory may lie: in the folder itself, where people look for it. */
function placeFor(path: string): Place {
  const place = pathOf(path)
  if (place.path.toLowerCase() === INDEX_FILE.toLowerCase()) throw new Error(`${INDEX_FILE} is kept by the runtime.`)
  if (!isMemoryPath(place.path) || !PLAIN_NAME.test(place.path) || place.path.length > LONGEST_PATH) {
    throw new Error(`${path} is no place for a memory: use a short name that ends in .md, right below the folder.`)
  }
  return place
}

function evidenceFor(quote: string, said: Said | undefined, scope: Scope, { project }: EditorContext): Evidence {
  if (!said) return { session: '', entry: '', by: 'user', quote }
  return { session: said.session, entry: said.entry, by: said.by, quote, ...(scope === 'person' && { project }) }
}

/** What is known already is confirmed by the new words, not written twice. */
function confirm(
  { workspaces, now }: EditorContext,
  scope: Scope,
  memory: Memory,
  evidence: readonly Evidence[],
): string {
  const known = evidenceOf(memory)
  // Only the user's word confirms: what the assistant says may be what it has read in this very memory.
  const isNew = evidence.filter(
    ({ by, session, entry }) => by === 'user' && !known.some((old) => old.session === session && old.entry === entry),
  )
  if (isNew.length > 0 && memory.source.kind === 'session') {
    const source = { kind: 'session' as const, evidence: [...known, ...isNew].slice(-8) }
    const kept = known.every((each) => source.evidence.includes(each)) ? source : memory.source
    workspaces[scope].put({ ...memory, source: kept, confirmed: toDay(now()) }, `${memory.name}: confirmed`)
  }
  return `${displayPath(scope, memory.path)} says this already; it is confirmed.`
}

/** Memories that may say the contrary, for the model to look at. */
function contrary(memory: Memory, workspace: Workspace): string {
  const statement = statementOf(memory)
  const near = [...workspace.memories().live.values()].filter((other) => {
    if (other.id === memory.id || other.type !== memory.type) return false
    const text = statementOf(other)
    return (
      similarity(text, statement) >= 0.4 ||
      (similarity(text, statement) >= 0.25 && isNegated(text) !== isNegated(statement))
    )
  })
  if (near.length === 0) return ''
  const names = near.map(({ path, name }) => `${name} (${path})`).join(', ')
  return ` It is close to ${names}: if the user has changed their mind, supersede the old one.`
}

/** A memory as the model names it. */
export function displayPath(scope: Scope, path: string): string {
  return scope === 'person' ? `/memories/person/${path}` : `/memories/${path}`
}

/** What may be quoted, oldest first: whatever stands outside of it is no evidence for the task at hand. */
interface Witnesses {
  readonly said: readonly Said[]
  /** What the user said before that in the same session, oldest first: it is no evidence, but it tells how things were meant. */
  readonly before?: readonly string[]
}

/** Where words stand, best in the user's own; the newest of several. */
function findWitness({ said, before = [] }: Witnesses, quote: string): Witness | undefined {
  const found = said.flatMap((each, place) => (findQuote(each.text, quote) ? [{ each, place }] : []))
  const best = found.findLast(({ each }) => each.by === 'user') ?? found.at(-1)
  if (!best) return undefined
  const isUser = ({ by, session }: Said) => by === 'user' && session === best.each.session
  const later = said.slice(best.place + 1).find(isUser)?.text
  const earlier = [
    ...before,
    ...said
      .slice(0, best.place)
      .filter(isUser)
      .map(({ text }) => text),
  ]
  return { said: best.each, earlier, ...(later !== undefined && { later }) }
}
