import type { CacheBreak, CostTotals, Inspection, Session, Spent, SpentBy } from '@nacre/core'
import { cleanText } from '../terminal/clean-text.js'
import { figures, paint, table, wrapText } from './format.js'
import { misuse, type SlashCommand, type SlashContext, say } from './slash-command.js'

const COLUMNS: readonly (readonly [title: string, key: keyof Spent])[] = [
  ['calls', 'requests'],
  ['input', 'input'],
  ['read', 'cacheRead'],
  ['write 5m', 'cacheWrite5m'],
  ['write 1h', 'cacheWrite1h'],
  ['output', 'output'],
]

/** What the session has cost, to the token, by who asked and by which model answered. */
export const costCommand: SlashCommand = {
  name: 'cost',
  help: 'Shows tokens and dollars of this session, by source and by model.',
  example: '/cost',
  async run(args, context) {
    if (args !== '') return misuse('/cost takes no arguments.', costCommand, context)
    const { spent } = await context.opened.session.inspect()
    if (spent.length === 0) return say('Nothing has been spent yet.', context)
    const total = sumOf(spent)
    const head = `${figures.dollars(total.dollars)} for ${figures.counted(total.requests, 'call')} of the model.`
    const bySource = tableBy('source', spent, ({ source }) => source, context)
    const byModel = tableBy('model', spent, ({ model }) => model ?? 'not recorded', context)
    return { text: [say(head, context).text, bySource, byModel].join('\n\n') }
  },
}

function tableBy(
  title: string,
  spent: readonly SpentBy[],
  keyOf: (part: SpentBy) => string,
  { width, hasColour }: SlashContext,
): string {
  const total = sumOf(spent)
  const columns = COLUMNS.filter(([, key]) => total[key] > 0)
  const cells = (name: string, sums: Spent) => [
    cleanText(name),
    ...columns.map(([, key]) => figures.count(sums[key])),
    figures.dollars(sums.dollars),
  ]
  const keys = [...new Set(spent.map(keyOf))]
  const rows = keys.map((key) => ({ cells: cells(key, sumOf(spent.filter((part) => keyOf(part) === key))) }))
  const sum = { cells: cells('total', total), colour: 'bold' as const }
  const titles = [title, ...columns.map(([name]) => name), 'dollars']
  return table({ titles, rows: [...rows, sum], width, hasColour }).join('\n')
}

function sumOf(parts: readonly Spent[]): Spent {
  const sum = (key: keyof Spent) => parts.reduce((total, part) => total + part[key], 0)
  return {
    requests: sum('requests'),
    input: sum('input'),
    output: sum('output'),
    cacheRead: sum('cacheRead'),
    cacheWrite5m: sum('cacheWrite5m'),
    cacheWrite1h: sum('cacheWrite1h'),
    dollars: sum('dollars'),
  }
}

/** How well the prompt cache works, and what broke it. */
export const cacheCommand: SlashCommand = {
  name: 'cache',
  help: 'Shows the hit rate of the prompt cache by source, how long it is kept, and breaks with block, plugin and dollars.',
  example: '/cache',
  async run(args, context) {
    if (args !== '') return misuse('/cache takes no arguments.', cacheCommand, context)
    const { session } = context.opened
    const { cache, spent } = await session.inspect()
    const sources = [...new Set(spent.map(({ source }) => source))]
    const parts = [
      say(`${summary(session.cost())} ${lifetime(cache)}`, context).text,
      ...(sources.length > 0 ? [sourceTable(sources, session, context)] : []),
      breaksText(session.breaks(), context),
    ]
    return { text: parts.join('\n\n') }
  },
}

function summary({ hitRate, requests }: CostTotals): string {
  if (requests === 0) return 'Nothing has been sent yet.'
  return `${figures.percent(hitRate)} of all input was read from the cache.`
}

function lifetime({ ttl, left }: Inspection['cache']): string {
  const kept = `What is sent is kept for ${ttl === '1h' ? 'an hour' : '5 minutes'}`
  if (left === undefined) return `${kept}.`
  return left > 0
    ? `${kept}; ${figures.duration(left)} are left.`
    : `${kept}; that has passed, the next turn writes it anew.`
}

function sourceTable(sources: readonly string[], session: Session, { width, hasColour }: SlashContext): string {
  const row = (name: string, { hitRate, cacheRead, cacheWrite5m, cacheWrite1h, input }: CostTotals) => ({
    cells: [
      cleanText(name),
      figures.percent(hitRate),
      figures.count(cacheRead),
      figures.count(cacheWrite5m + cacheWrite1h),
      figures.count(input),
    ],
  })
  const rows = sources.map((source) => row(source, session.cost(source)))
  const total = { ...row('total', session.cost()), colour: 'bold' as const }
  const titles = ['source', 'hit rate', 'read', 'written', 'neither']
  return table({ titles, rows: [...rows, total], width, hasColour }).join('\n')
}

function breaksText(breaks: readonly CacheBreak[], context: SlashContext): string {
  if (breaks.length === 0) return say('No breaks since the session was opened.', context).text
  const dollars = breaks.reduce((sum, each) => sum + each.dollars, 0)
  const tokens = breaks.reduce((sum, each) => sum + each.tokens, 0)
  const costs = `${figures.count(tokens)} tokens sent anew, ${figures.dollars(dollars)}`
  const head = `${figures.counted(breaks.length, 'break')} since the session was opened: ${costs}.`
  const lines = breaks.flatMap((each, index) => breakLines(each, index + 1, context))
  return [say(head, context).text, ...lines].join('\n')
}

function breakLines(each: CacheBreak, number: number, { width, hasColour }: SlashContext): string[] {
  const { cause, owner, what, reason, place, tokens, dollars, predicted, read } = each
  const block = place ? `messages.${place.message}.content.${place.block}` : cause
  const who = each.source === 'main' ? '' : ` for ${each.source}`
  const head = `${number}. ${block}${who}, by ${owner}: ${figures.count(tokens)} tokens, ${figures.dollars(dollars)}`
  const why = `${cause}: ${what}${reason === undefined ? '' : ` (${reason})`}`
  const size = `read ${figures.count(read)} of ${figures.count(predicted)} that were cached`
  return [
    ...wrapText(cleanText(head), width).map((line) => paint(line, 'yellow', hasColour)),
    ...wrapText(cleanText(why), width, 3),
    ...wrapText(size, width, 3),
  ]
}
