import type { Accounting, Inspection, Thresholds, ViewTokens } from '@nacre/core'
import { cleanText } from '../terminal/clean-text.js'
import { type Colour, figures, paint, table } from './format.js'
import { misuse, type SlashCommand, type SlashContext, say } from './slash-command.js'

/** What fills the context: as a grid, by class, by owner, and what was read twice. */
export const contextCommand: SlashCommand = {
  name: 'context',
  help: 'Shows what fills the context: a grid, tokens by class and by owner, files that were read twice.',
  example: '/context',
  async run(args, context) {
    if (args !== '') return misuse('/context takes no arguments.', contextCommand, context)
    const { session } = context.opened
    const { tokens } = session.view()
    const sizes = session.thresholds()
    const [accounting, { plugins }] = await Promise.all([session.accounting(), session.inspect()])
    const parts = [
      say(summary(tokens, sizes), context).text,
      contextGrid(accounting, tokens, sizes, context).join('\n'),
      classTable(accounting, context),
      ownerTable(accounting, plugins, context),
      ...duplicateTable(accounting, context),
    ]
    return { text: parts.join('\n\n') }
  },
}

function summary({ total, estimated, window }: ViewTokens, sizes: Thresholds): string {
  const share = figures.percent(total / window)
  const guess =
    estimated > 0 ? ` ${figures.count(Math.round(estimated))} of them are estimated, the API counted the rest.` : ''
  return `${figures.count(total)} of ${figures.count(window)} tokens (${share}).${guess} ${whatIsLeft(total, sizes)}`
}

/** Until the compaction, or until no prompt is taken where nothing compacts by itself. */
function whatIsLeft(total: number, sizes: Thresholds): string {
  const limit = limitOf(sizes)
  const [left, at] = [figures.count(limit - total), figures.count(limit)]
  if (sizes.autoCompact) {
    return total <= limit
      ? `${left} left until it is compacted at ${at}.`
      : `It is above ${at}: the next turn compacts it.`
  }
  if (total <= limit) return `Nothing compacts it by itself: ${left} left until no prompt is taken, at ${at}.`
  return `It is above ${at}: no prompt is taken until /clear, /rewind, /undo or /model has made room.${COMPACT}`
}

const COMPACT = ' So does /compact where a layer that compacts is switched on.'

function limitOf({ autoCompact, compact, block }: Thresholds): number {
  return autoCompact ? compact.tokens : block.tokens
}

function classTable({ classes, total }: Accounting, { width, hasColour }: SlashContext): string {
  const rows = classes.map(({ name, tokens, percent }, index) => {
    const { symbol, colour } = classMark(index, hasColour)
    return { cells: [`${symbol} ${cleanText(name)}`, figures.count(tokens), `${percent.toFixed(1)}%`], colour }
  })
  const sum = { cells: ['total', figures.count(total), total > 0 ? '100.0%' : ''], colour: 'bold' as const }
  return table({ titles: ['class', 'tokens', 'share'], rows: [...rows, sum], width, hasColour }).join('\n')
}

function ownerTable(
  accounting: Accounting,
  plugins: Inspection['plugins'],
  { width, hasColour }: SlashContext,
): string {
  const rows = tokensByOwner(accounting, plugins).map(([owner, tokens]) => ({
    cells: [cleanText(owner), figures.count(tokens), figures.percent(tokens / Math.max(1, accounting.total))],
  }))
  return table({ titles: ['owner', 'tokens', 'share'], rows, width, hasColour }).join('\n')
}

function duplicateTable({ duplicates }: Accounting, { width, hasColour }: SlashContext): string[] {
  if (duplicates.length === 0) return []
  const rows = duplicates.map(({ path, reads, wasted }) => ({
    cells: [cleanText(path), figures.count(reads), figures.count(Math.round(wasted))],
  }))
  return [table({ titles: ['read more than once', 'reads', 'wasted'], rows, width, hasColour }).join('\n')]
}

const ROWS = 5
const WIDEST = 40

/** The window as a grid: what fills it by class, what is free, and what is kept free above the limit. */
function contextGrid(
  accounting: Accounting,
  { window }: ViewTokens,
  sizes: Thresholds,
  context: SlashContext,
): string[] {
  const { width, hasColour } = context
  const columns = Math.max(1, Math.min(WIDEST, width))
  const cells = columns * ROWS
  const scale = cells / Math.max(window, accounting.total, 1)
  const filled = ends(accounting.classes.map((each) => each.tokens * scale))
  const reserve = Math.ceil(limitOf(sizes) * scale)
  const cell = (place: number): readonly [string, Colour] => {
    const index = filled.findIndex((end) => place < end)
    if (index < 0) return place < reserve ? ['·', 'dim'] : ['▒', 'dim']
    const { symbol, colour } = classMark(index, hasColour)
    return [symbol, colour]
  }
  return Array.from({ length: ROWS }, (_, row) =>
    Array.from({ length: columns }, (_, column) => cell(row * columns + column))
      .map(([symbol, colour]) => paint(symbol, colour, hasColour))
      .join(''),
  )
}

/** Where each class ends, in whole cells; the first always has one, so that a small context is seen at all. */
function ends(sizes: readonly number[]): number[] {
  let sum = 0
  return sizes.map((size) => {
    sum += size
    return Math.max(1, Math.round(sum))
  })
}

/** How a class stands in the grid and in the table. */
interface ClassMark {
  readonly symbol: string
  readonly colour: Colour
}

const COLOURS: readonly Colour[] = [
  'blue',
  'green',
  'yellow',
  'magenta',
  'cyan',
  'red',
  'brightBlue',
  'brightGreen',
  'brightYellow',
  'brightRed',
]
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** A mark by place, largest first: a block in a colour, or a letter where there are no colours. */
function classMark(index: number, hasColour: boolean): ClassMark {
  const colour = COLOURS[index % COLOURS.length] as Colour
  return { symbol: hasColour ? '█' : (LETTERS[index] ?? '?'), colour }
}

/** Tokens by whose they are, largest first; they sum to what the classes sum to. */
function tokensByOwner(
  { classes }: Accounting,
  plugins: Inspection['plugins'],
): readonly (readonly [owner: string, tokens: number])[] {
  const tools = new Map(
    plugins.flatMap(({ name, contribution }) => (contribution.tools ?? []).map((tool) => [tool.name, name] as const)),
  )
  const sums = new Map<string, number>()
  for (const { name, tokens } of classes) {
    const owner = ownerOf(name, tools)
    sums.set(owner, (sums.get(owner) ?? 0) + tokens)
  }
  return [...sums].sort(([, a], [, b]) => b - a)
}

/** What the person said, showed, or ran. */
const YOURS: ReadonlySet<string> = new Set(['human', 'media', 'local command output'])

function ownerOf(name: string, tools: ReadonlyMap<string, string>): string {
  const [, tool] = /^(?:call|result|media of|local command output of) (.*)$/s.exec(name) ?? []
  if (tool !== undefined) return tools.get(tool) ?? 'a tool that is gone'
  const [, owner] = /^note of (.*)$/s.exec(name) ?? []
  if (owner !== undefined) return owner
  if (YOURS.has(name)) return 'you'
  return name === 'assistant' || name === 'thinking' ? 'the model' : 'prompt and tools'
}
