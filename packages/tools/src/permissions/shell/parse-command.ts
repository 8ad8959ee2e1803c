import { homedir } from 'node:os'
import {
  type Command,
  type For,
  forEachChild,
  type ParsedScript,
  parse,
  type RedirectOperator,
  type SyntaxNode,
  type Word,
} from 'unbash'
import { limitTime } from '../../limit-time.js'
import { leadsTo } from '../../paths.js'
import { type CommandWord, commandWord, type Known } from './command-word.js'
import { HARMLESS_PROGRAMS } from './harmless-programs.js'
import { type LookedThrough, lookThrough, type Run } from './look-through.js'

/** One simple command of a command line, wherever it stands in it. */
export interface CommandPart {
  /** Name and arguments; none for a bare assignment or redirection. */
  readonly words: readonly CommandWord[]
  readonly assignments: readonly CommandAssignment[]
  readonly redirects: readonly CommandRedirect[]
  readonly source: string
  /** The part that runs this one: `sudo` or `bash -c`, say. */
  readonly parent?: CommandPart
  /** For a part that runs others: `transparent` ones add nothing to what they run. */
  readonly wrapper?: 'transparent' | 'opaque'
  /** Where it may run; none when that is not known. */
  readonly folders: readonly string[]
}

interface CommandAssignment {
  readonly name: string
  readonly value: CommandWord
}

export interface CommandRedirect {
  readonly operator: RedirectOperator
  readonly target: CommandWord
}

/** A command line in its parts. What is `unclear` can't be judged by its parts alone. */
export interface ParsedCommand {
  readonly command: string
  readonly parts: readonly CommandPart[]
  readonly unclear: readonly string[]
  /** It may run commands that are not among the parts. */
  readonly isHiding: boolean
}

/** The name by which a part calls its program; nothing where that is not known. */
export function nameOf({ words }: CommandPart): string | undefined {
  return words[0]?.kind === 'static' ? words[0].text : undefined
}

const DEEPEST = 8
const LONGEST = 50_000
const MOST_VALUES = 20
const MOST_PARTS = 1000
/** Loops in loops are looked at once for each value of each: a few hundred characters could keep us busy for hours. */
const MOST_STEPS = 20_000
/** So many characters to parse weigh as much as a step of the walk. */
const STEP_CHARS = 20
/** The parser is not ours. */
const MOST_MILLISECONDS = 500

interface Walk {
  readonly parts: CommandPart[]
  steps: number
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
  const walk: Walk = { parts: [], unclear: new Set(unclearText(command)), folders: [cwd], isHiding: false, steps: 0 }
  if (command.length > LONGEST) hide(walk, 'it is too long to be judged')
  else readWhole(walk, command)
  return { command, parts: walk.parts, unclear: [...walk.unclear], isHiding: walk.isHiding }
}

/** Nothing is allowed because it was too deep to look at. */
function readWhole(walk: Walk, command: string): void {
  const read = () => readScript(walk, command, { depth: 0 })
  try {
    limitTime(MOST_MILLISECONDS, read, () => hide(walk, 'it takes too long to be judged'))
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
  if (!mayStep(walk, source.length / STEP_CHARS)) return
  const script = parse(source)
  const place = { depth, known: new Map(), source, isLoop: false, canSubstitute: canSubstitute(script) }
  visit(walk, script, parent ? { ...place, parent } : place)
}

function visit(walk: Walk, node: SyntaxNode, place: Place): void {
  if (!mayStep(walk, 1)) return
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

/** Counts what is looked at. No more is, once it was too much: then some of what runs is not among the parts. */
function mayStep(walk: Walk, steps: number): boolean {
  walk.steps += steps
  if (walk.steps <= MOST_STEPS && walk.parts.length <= MOST_PARTS) return true
  hide(walk, 'it has too many parts')
  return false
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

/**
 * Letters that are not what they look like: controls, carriage returns, marks that show nothing, spaces that are none to a
 * shell, turns of direction.
 */
const MISLEADING = /(?![\t\n ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** What makes a text impossible to judge before it is even parsed. */
function unclearText(text: string): string[] {
  const [letter] = MISLEADING.exec(text) ?? []
  if (letter === undefined) return []
  const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return [`it holds U+${code}, which people can't see or a shell reads otherwise than they do`]
}

/** What makes a node impossible to judge by the simple commands in it. */
function unclearNode(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'Script':
      return node.errors?.[0] && `it can't be parsed (${node.errors[0].message})`
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return node.script ? undefined : "it holds a substitution that can't be parsed"
    case 'ParameterExpansion':
      return node.prefix === '!' || node.index || isRisky(node.operation?.type)
        ? `what ${node.text} stands for may run commands`
        : undefined
    case 'ArithmeticWord':
      return /^(\d+|0x[\da-f]+|\d+#\w+)?$/i.test(node.value) ? undefined : 'arithmetic with variables may run commands'
    case 'TestUnary':
      return node.operator === '-v' || node.operator === '-R' ? 'a test for a variable may run commands' : undefined
    case 'TestBinary':
      return ARITHMETIC_TESTS.has(node.operator) && !(isNumber(node.left.value) && isNumber(node.right.value))
        ? 'a comparison of numbers that are not plain may run commands'
        : undefined
    case 'Assignment':
      return node.index ? 'an assignment to a place in an array may run commands' : undefined
    case 'For':
    case 'Select':
      return isPlainName(node.name.value) ? undefined : `what ${node.name.value} is set to may change what runs`
    case 'FileDescriptorVariable':
      return 'it sets a variable to the number of a file'
    case 'Function':
      return FUNCTION
    case 'Coproc':
      return 'it keeps a command running beside it'
    default:
      return undefined
  }
}

const FUNCTION = 'it defines a function, and what its name stands for then is not known'
const ARITHMETIC_TESTS = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])

function isRisky(operation: string | undefined): boolean {
  return operation === 'Transform' || operation === 'Unknown' || operation === 'Slice'
}

/** Programs and the shell itself obey variables with large letters, and a few others. */
function isPlainName(name: string): boolean {
  return /^([a-z]\w*|_|[A-Z]\d?|FILE|DIR|NAME|LINE|ITEM)$/.test(name) && !/^npm_|_proxy$/i.test(name)
}

function isNumber(text: string): boolean {
  return /^-?\d+$/.test(text)
}

/** Builtins that can set a variable. */
const SETTERS = new Set(
  'read mapfile readarray printf declare typeset local export readonly let getopts unset eval source . wait trap'.split(
    ' ',
  ),
)

/** Whether the variables of its loops hold what the loops give them, all the way: nothing else in the script sets any. */
function canSubstitute(script: ParsedScript): boolean {
  const loops: string[] = []
  const assigned = new Set<string>()
  let can = true
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'For') loops.push(node.name.value)
    else if (node.type === 'Assignment') assigned.add(node.name)
    else if (setsAnything(node)) can = false
    if (can) forEachChild(node, visit)
  }
  visit(script)
  return can && new Set(loops).size === loops.length && !loops.some((name) => assigned.has(name))
}

/** Nodes that may set a variable whose name is not told. */
function setsAnything(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'ArithmeticBinary':
    case 'ArithmeticUnary':
    case 'ArithmeticWord':
    case 'Select':
    case 'Coproc':
    case 'FileDescriptorVariable':
      return true
    case 'Default':
      return node.operator.endsWith('=')
    case 'Command':
      return node.name !== undefined && (node.name.parts !== undefined || isSetter(node.name.value, node.args))
    default:
      return false
  }
}

/** Printf sets a variable only when it is told to. */
function isSetter(name: string, [first]: Command['args']): boolean {
  if (name !== 'printf' || first?.type !== 'Word') return SETTERS.has(name)
  return HARMLESS_PROGRAMS.printf?.([commandWord(first, new Map())]) === undefined
}

const MOST_FOLDERS = 16

/** Where the next command may run: where this one ran, or where it went to. None when that is not known. */
function foldersAfter(part: CommandPart, isLoop: boolean): readonly string[] {
  const { folders, words } = part
  const name = nameOf(part)
  if (name === 'pushd' || name === 'popd') return []
  if (name !== 'cd' || folders.length === 0) return folders
  const [target, more] = words.slice(1).filter(({ text }) => !/^-[LPe@]*-?$/.test(text) || text === '-')
  if (isLoop || more || (target && (target.kind !== 'static' || target.text === '-'))) return []
  const reached = folders.map((folder) => leadsTo(target?.text ?? homedir(), folder))
  const all = [...new Set([...folders, ...reached])]
  return all.length > MOST_FOLDERS ? [] : all
}
