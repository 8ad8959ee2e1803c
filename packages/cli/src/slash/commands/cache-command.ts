import type { CacheBreak, CostTotals, Inspection, Session } from '@nacre/core'
import { cleanText } from '../../text/clean-text.js'
import { misuse } from '../misuse.js'
import { say } from '../say.js'
import type { SlashCommand, SlashContext } from '../slash-command.js'
import { figures } from '../text/figures.js'
import { paint } from '../text/paint.js'
import { table } from '../text/table.js'
import { wrapText } from '../text/wrap-text.js'

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
  const head = `${number}. ${block}, by ${owner}: ${figures.count(tokens)} tokens, ${figures.dollars(dollars)}`
  const why = `${cause}: ${what}${reason === undefined ? '' : ` (${reason})`}`
  const size = `read ${figures.count(read)} of ${figures.count(predicted)} that were cached`
  return [
    ...wrapText(cleanText(head), width).map((line) => paint(line, 'yellow', hasColour)),
    ...wrapText(cleanText(why), width, 3),
    ...wrapText(size, width, 3),
  ]
}
