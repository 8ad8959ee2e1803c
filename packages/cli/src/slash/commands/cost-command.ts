import type { Spent, SpentBy } from '@nacre/core'
import { cleanText } from '../../text/clean-text.js'
import { misuse } from '../misuse.js'
import { say } from '../say.js'
import type { SlashCommand, SlashContext } from '../slash-command.js'
import { figures } from '../text/figures.js'
import { table } from '../text/table.js'

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
