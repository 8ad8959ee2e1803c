import {
  type Block,
  type BlockRef,
  estimateBlock,
  type Id,
  type Need,
  type Replace,
  type Round,
  type View,
} from '@nacre/core'
import type { LayerContext, Settings } from '../layer/layer.js'
import { oneLine, withoutHalfCharacter } from '../text/format.js'
import { textsIn } from '../view/rounds.js'
import { type Names, namesIn, tellingNames } from './telling-names.js'

/** A block with where it stands. */
interface PlacedBlock {
  readonly ref: BlockRef
  readonly block: Block
}

/** A call with its result, as they are shown. */
export interface FoundCall {
  readonly name: string
  readonly use: PlacedBlock
  readonly result: PlacedBlock
  /** The round it stands in, and the part of it that the view has. */
  readonly round: Round
  /** Estimated tokens that clearing the result and shortening the input would free; 0 where it is not worth it. */
  readonly resultFrees: number
  readonly inputFrees: number
}

/** What the line that stands for a result takes, about. */
export const LINE_TOKENS = 110
/** Below that nothing is won: the line says little less than the result. */
const LEAST = 150

const known = new WeakMap<Round, readonly FoundCall[]>()

/** The calls of a view that have a result and would free something, oldest first. */
export function findCalls(view: View): readonly FoundCall[] {
  return view.rounds.flatMap((round) => {
    const found = known.get(round) ?? callsOf(view, round)
    // A round that changed is another object.
    known.set(round, found)
    return found
  })
}

function callsOf(view: View, round: Round): FoundCall[] {
  const blocks = round.entries.flatMap(({ id, content }) =>
    content.map((block, index) => ({ block, ref: { entry: id, block: index } })),
  )
  const uses = new Map(
    blocks.filter(({ block }) => block.type === 'tool_use').map((use) => [use.block.id, asShown(view, use)]),
  )
  return blocks.flatMap(({ block, ref }) => {
    const use = block.type === 'tool_result' ? uses.get(block.tool_use_id) : undefined
    const [shown] = view.shown(ref)
    if (!use || !shown) return []
    const resultFrees = isCleared(view, ref, shown) ? 0 : worth(estimateBlock(shown) - LINE_TOKENS)
    const inputFrees = view.shows(use.ref) === 'whole' ? worth(longInputTokens(use.block)) : 0
    if (resultFrees + inputFrees === 0) return []
    return [{ name: String(use.block.name), use, result: { ref, block: shown }, round, resultFrees, inputFrees }]
  })
}

/** What was taken out of a call must not come back by the line that stands for its result. */
function asShown(view: View, { block, ref }: PlacedBlock): PlacedBlock {
  return { ref, block: view.shown(ref)[0] ?? { ...block, input: {} } }
}

function isCleared(view: View, ref: BlockRef, shown: Block): boolean {
  return view.shows(ref) === 'changed' && isClearedLine(resultText(shown))
}

function worth(tokens: number): number {
  return tokens >= LEAST ? tokens : 0
}

/** What was agreed on, looked up to be kept, or said by a person: never cleared, whatever its tool says of itself. */
const KEPT = new Set(['ask', 'todo', 'todos', 'skill', 'skills', 'memory', 'memories'])

/** Whether old results of a tool may be cleared. */
export function mayClear(name: string, need: Need, { exclude }: Settings): boolean {
  if (name.startsWith('mcp__') || exclude.includes(name) || need.tool(name)?.isCompactable !== true) return false
  return !wordsOf(name).some((word) => KEPT.has(word))
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}

/** Whether old results are deleted from the server's cache, which costs nothing as long as the cache is there. */
export function goesByCache({ model, pace }: Need, { flag }: Pick<LayerContext, 'flag'>): boolean {
  return flag('cached') && model.can.has('cache-edits') && !pace.isCold
}

/** Tokens that the names in a line may take. */
const NAMES = 40

export interface ClearOptions {
  /** Calls that stay: what they name as well tells less. */
  readonly others: readonly FoundCall[]
  /** The tool that reads the log, where there is one. */
  readonly recall: string | undefined
  /** Real tokens for an estimate. */
  tokens(estimate: number): number
}

/** What clears calls: a line for each result, and inputs without their long strings. Nothing becomes larger by it. */
export function clearChanges(calls: readonly FoundCall[], options: ClearOptions): Replace[] {
  const names = new Map([...calls, ...options.others].map((call) => [call, namesIn(resultText(call.result.block))]))
  return calls.flatMap((call) => {
    const { use, result, inputFrees, resultFrees } = call
    const input = inputFrees > 0 ? shortenInput(use.block, recallPlace(use.ref.entry, options.recall)) : undefined
    const cleared = resultFrees > 0 ? clearResult(call, names, options) : undefined
    return [...(input ? [replace(use, input)] : []), ...(cleared ? [replace(result, cleared)] : [])]
  })
}

function replace({ ref }: PlacedBlock, block: Block): Replace {
  return { kind: 'replace', target: ref, content: [block] }
}

/** Where the log has what an entry said, where there is a tool that reads it. */
export function recallPlace(entry: Id, recall: string | undefined): string | undefined {
  return recall === undefined ? undefined : `${recall} entry ${entry}`
}

function clearResult(call: FoundCall, names: ReadonlyMap<FoundCall, Names>, options: ClearOptions): Block | undefined {
  const { block } = call.result
  const others = [...names].flatMap(([other, found]) => (other === call ? [] : [found]))
  const found = tellingNames(names.get(call) ?? new Map(), others, NAMES)
  const lines = [found, []].map((chosen) => clearedLine(call, chosen, options))
  return lines.map((text) => withText(block, text)).find((shorter) => estimateBlock(shorter) < estimateBlock(block))
}

/** The same result with other words. */
function withText({ tool_use_id, is_error }: Block, text: string): Block {
  const content = [{ type: 'text', text }]
  return { type: 'tool_result', tool_use_id, content, ...(is_error === true && { is_error }) }
}

const START = '[Cleared: '

/** The one line that stands for a cleared result, with its most telling names. */
function clearedLine({ name, use, result }: FoundCall, names: readonly string[], options: ClearOptions): string {
  const { block } = result
  const asked = briefInput(use.block.input)
  const media = partsOf(block.content).filter(isMedia).length
  const what = [
    `${oneLine(name)}${asked === '' ? '' : ` (${asked})`}`,
    ...(block.is_error === true ? ['failed'] : []),
    `${Math.round(options.tokens(estimateBlock(block)))} tokens`,
    ...(media === 0 ? [] : [`with ${media} ${media === 1 ? 'image or document' : 'images or documents'}`]),
  ].join(', ')
  const said = names.length === 0 ? '' : ` In it: ${names.join(' | ')}.`
  const place = storedPlace(block) ?? recallPlace(result.ref.entry, options.recall)
  return `${START}${what}.${said} ${place === undefined ? 'Call it again if you need it.' : `Full text: ${place}.`}]`
}

export function isClearedLine(text: string): boolean {
  return text.startsWith(START)
}

const VALUE = 80
const ALL = 160

/** What a call was asked, in a few words of one line. */
function briefInput(input: unknown): string {
  const pairs = Object.entries(Object(input)).flatMap(([key, value]) => {
    const said = typeof value === 'string' ? value : JSON.stringify(value)
    return said === undefined || said.trim() === '' ? [] : [`${oneLine(key, VALUE)}: ${oneLine(said, VALUE)}`]
  })
  return oneLine(pairs.join(', '), ALL)
}

const FRAME = /^\s*<persisted-output>/
const FILE = /^The whole is in the file (\S.*)$/m
const BLOB = /\b(\w+) with name ("[^"\n]+")/
/** Longer than paths are. */
const LONGEST = 1_000

/**
 * Where a preview says that the whole of a result is kept; `undefined` for any other text. Output may claim anything, so
 * only what bears the name of its own call is believed.
 */
function storedPlace(result: Block): string | undefined {
  const text = resultText(result)
  if (!FRAME.test(text)) return undefined
  const call = String(result.tool_use_id).replace(/[^A-Za-z0-9._-]+/g, '-')
  const isOwn = (name: string) => name.length <= LONGEST && name.split(/[\\/]/).at(-1)?.includes(call)
  const [, path] = FILE.exec(text) ?? []
  if (path !== undefined) return isOwn(path) ? `the file ${oneLine(path)}` : undefined
  const [, tool, name = ''] = BLOB.exec(text) ?? []
  return isOwn(name) ? `${tool} with name ${name}` : undefined
}

/** Strings above it are shortened to this many characters. */
const LONG = 800
const HEAD = 160

/** The same call with its long strings cut to their beginnings; `undefined` where it has none. `place` is where the full text is. */
function shortenInput(call: Block, place: string | undefined): Block | undefined {
  if (!hasLong(call.input)) return undefined
  const rest = place === undefined ? 'cleared' : `cleared, full text: ${place}`
  const input = shortened(call.input, (cut) => ` [… ${cut} more characters were written here; ${rest}]`)
  const shorter = { ...call, input }
  return estimateBlock(shorter) < estimateBlock(call) ? shorter : undefined
}

/** Estimated tokens that shortening would free. */
export function longInputTokens(call: Block): number {
  const shorter = shortenInput(call, 'Recall entry 00000000-0000-0000-0000-000000000000')
  return shorter ? estimateBlock(call) - estimateBlock(shorter) : 0
}

function hasLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > LONG
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLong)
}

function shortened(value: unknown, note: (cut: number) => string): unknown {
  if (typeof value === 'string') {
    const head = withoutHalfCharacter(value.slice(0, HEAD))
    return value.length > LONG ? head + note(value.length - head.length) : value
  }
  if (Array.isArray(value)) return value.map((each) => shortened(each, note))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each, note)]))
}

/** The words of a tool result. */
export function resultText({ content }: Block): string {
  return typeof content === 'string' ? content : textsIn(partsOf(content)).join('\n')
}

function partsOf(content: unknown): readonly Block[] {
  return Array.isArray(content) ? content : []
}

export function isMedia({ type }: Block): boolean {
  return type === 'image' || type === 'document'
}
