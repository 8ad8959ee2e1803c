import type { Accounting, Inspection, ViewTokens } from '@nacre/core'
import { cleanText } from '../../text/clean-text.js'
import { classMark } from '../context/class-marks.js'
import { tokensByOwner } from '../context/class-owners.js'
import { contextGrid } from '../context/context-grid.js'
import { misuse } from '../misuse.js'
import { say } from '../say.js'
import type { SlashCommand, SlashContext } from '../slash-command.js'
import { figures } from '../text/figures.js'
import { table } from '../text/table.js'

/** What fills the context: as a grid, by class, by owner, and what was read twice. */
export const contextCommand: SlashCommand = {
  name: 'context',
  help: 'Shows what fills the context: a grid, tokens by class and by owner, files that were read twice.',
  example: '/context',
  async run(args, context) {
    if (args !== '') return misuse('/context takes no arguments.', contextCommand, context)
    const { session } = context.opened
    const { tokens } = session.view()
    const [accounting, { plugins }] = await Promise.all([session.accounting(), session.inspect()])
    const parts = [
      say(summary(tokens), context).text,
      contextGrid({ ...context, accounting, tokens }).join('\n'),
      classTable(accounting, context),
      ownerTable(accounting, plugins, context),
      ...duplicateTable(accounting, context),
    ]
    return { text: parts.join('\n\n') }
  },
}

function summary({ total, estimated, threshold, window }: ViewTokens): string {
  const share = figures.percent(total / window)
  const left =
    total < threshold
      ? `${figures.count(threshold - total)} left until it is compacted at ${figures.count(threshold)}.`
      : `It is above ${figures.count(threshold)}: the next turn compacts it.`
  const guess =
    estimated > 0 ? ` ${figures.count(Math.round(estimated))} of them are estimated, the API counted the rest.` : ''
  return `${figures.count(total)} of ${figures.count(window)} tokens (${share}).${guess} ${left}`
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
