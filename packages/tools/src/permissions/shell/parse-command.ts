import { type Command, type For, forEachChild, type ParsedScript, parse, type SyntaxNode, type Word } from 'unbash'
import type { CommandAssignment, CommandPart, CommandRedirect, ParsedCommand } from './command-part.js'
import { type CommandWord, commandWord, type Known } from './command-word.js'
import { foldersAfter } from './folders-after.js'
import { lookThrough } from './look-through.js'
import type { LookedThrough, Run } from './looked-through.js'
import { canSubstitute } from './loop-variables.js'
import { unclearNode, unclearText } from './unclear.js'

const DEEPEST = 8
const LONGEST = 50_000
const MOST_VALUES = 20
const MOST_PARTS = 1000

interface Walk {
  readonly parts: CommandPart[]
  readonly unclear: Set<string>
  folders: readonly string[]
  isHiding: boolean
}

function hide(walk: Walk, reason: string): void {
  walk.unclear.add(reason)
  walk.isHiding = true
}

interface Place {
  readonly depth: number
  readonly known: Known
  readonly source: string
  readonly isLoop: boolean
  readonly canSubstitute: boolean
  readonly parent?: CommandPart
}

/** Splits a command line into every simple command that may run when it does. */
export function parseCommand(command: string, cwd: string): ParsedCommand {
  const walk: Walk = { parts: [], unclear: new Set(unclearText(command)), folders: [cwd], isHiding: false }
  if (command.length > LONGEST) hide(walk, 'it is too long to be judged')
  else readWhole(walk, command)
  return { command, parts: walk.parts, unclear: [...walk.unclear], isHiding: walk.isHiding }
}

/** Nothing is allowed because it was too deep to look at. */
function readWhole(walk: Walk, command: string): void {
  try {
    readScript(walk, command, { depth: 0 })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    hide(walk, 'it is nested too deep')
  }
}

function readScript(walk: Walk, source: string, { depth, parent }: Pick<Place, 'depth' | 'parent'>): void {
  if (depth > DEEPEST) {
    hide(walk, 'it is nested too deep')
    return
  }
  const script = parse(source)
  const place = { depth, known: new Map(), source, isLoop: false, canSubstitute: canSubstitute(script) }
  visit(walk, script, parent ? { ...place, parent } : place)
}

function visit(walk: Walk, node: SyntaxNode, place: Place): void {
  if (walk.parts.length > MOST_PARTS) {
    hide(walk, 'it has too many parts')
    return
  }
  const unclear = unclearNode(node)
  if (unclear !== undefined) walk.unclear.add(unclear)
  if (node.type === 'For') {
    visitFor(walk, node, place)
    return
  }
  const isLoop = place.isLoop || LOOPS.has(node.type)
  // Positions in a script that a backtick holds may refer to a text of its own.
  const source = node.type === 'Script' ? ((node as ParsedScript).source ?? place.source) : place.source
  const inside = { ...place, isLoop, source }
  forEachChild(node, (child) => visit(walk, child, inside))
  if (node.type === 'Command') addCommand(walk, partOf(node, inside), inside)
  else if (node.type === 'Redirected')
    addPart(
      walk,
      { words: [], assignments: [], redirects: redirectsOf(node, inside), source: sourceOf(node, inside) },
      inside,
    )
}

const LOOPS: ReadonlySet<SyntaxNode['type']> = new Set(['While', 'ArithmeticFor', 'Select', 'Function'])

/** The body once for each value, so that what the variable stands for is judged. */
function visitFor(walk: Walk, node: For, place: Place): void {
  const { name, wordlist = [], body } = node
  for (const word of wordlist) visit(walk, word, place)
  const values = wordlist.map((word) => commandWord(word, place.known))
  const inside = { ...place, isLoop: true }
  const isKnown = values.every(({ kind }) => kind === 'static' || kind === 'glob')
  if (!place.canSubstitute || !isKnown || values.length === 0 || values.length > MOST_VALUES) {
    visit(walk, body, inside)
    return
  }
  for (const value of values) visit(walk, body, { ...inside, known: new Map([...place.known, [name.value, value]]) })
}

type Found = Pick<CommandPart, 'words' | 'assignments' | 'redirects' | 'source'>

function partOf(node: Command, place: Place): Found {
  const words = [node.name, ...node.args].flatMap((word) => (word ? [wordOf(word, place)] : []))
  const assignments = node.prefix.flatMap((item): CommandAssignment[] =>
    item.type === 'Assignment' ? [{ name: item.name, value: assignedWord(item.value, place) }] : [],
  )
  return { words, assignments, redirects: redirectsOf(node, place), source: sourceOf(node, place) }
}

function wordOf(word: Command['args'][number], { known }: Place): CommandWord {
  return word.type === 'Word' ? commandWord(word, known) : { kind: 'unknown', text: word.text, source: word.text }
}

function assignedWord(value: Word | { readonly type: 'ArrayValue' }, { known }: Place): CommandWord {
  return value.type === 'Word' ? commandWord(value as Word, known) : { kind: 'unknown', text: '', source: '' }
}

function redirectsOf({ redirects }: Pick<Command, 'redirects'>, { known }: Place): CommandRedirect[] {
  return redirects.flatMap((redirect) =>
    redirect.type === 'Redirect' && redirect.target
      ? [{ operator: redirect.operator, target: commandWord(redirect.target, known) }]
      : [],
  )
}

function sourceOf({ pos, end }: { readonly pos: number; readonly end: number }, { source }: Place): string {
  return source.slice(pos, end)
}

function addPart(walk: Walk, found: Found, place: Place, wrapper?: LookedThrough['wrapper']): CommandPart {
  const part: CommandPart = {
    ...found,
    folders: walk.folders,
    ...(place.parent && { parent: place.parent }),
    ...(wrapper && { wrapper }),
  }
  walk.parts.push(part)
  return part
}

function addCommand(walk: Walk, found: Found, place: Place): void {
  const seen = lookThrough(found.words)
  if (seen?.unclear !== undefined) walk.unclear.add(seen.unclear)
  const part = addPart(walk, found, place, seen?.wrapper)
  walk.folders = foldersAfter(part, place.isLoop)
  for (const run of seen?.runs ?? []) addRun(walk, run, part, place)
}

function addRun(walk: Walk, { words, script, assignments = [] }: Run, parent: CommandPart, place: Place): void {
  const inside = { ...place, depth: place.depth + 1, parent }
  if (inside.depth > DEEPEST) hide(walk, 'it is nested too deep')
  else if (words) {
    const set = assignments.map((word) => assignmentOf(word))
    addCommand(walk, { words, assignments: set, redirects: [], source: parent.source }, inside)
  } else if (script?.every(({ kind }) => kind === 'static')) {
    const text = script.map((word) => word.text).join(' ')
    for (const problem of unclearText(text)) walk.unclear.add(problem)
    readScript(walk, text, inside)
  } else hide(walk, 'it runs commands that are not known before it runs')
}

function assignmentOf(word: CommandWord): CommandAssignment {
  const at = word.text.indexOf('=')
  return { name: word.text.slice(0, at), value: { ...word, text: word.text.slice(at + 1) } }
}
