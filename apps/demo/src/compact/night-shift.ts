import type { Tool } from '@nacre/core'
import type { Scenario } from '@nacre/simulator'

const HOURS = 40
const LINES = 120

/** The hour that somebody asks about in the morning. */
const ASKED = 7
const CULPRIT = ticketOf(ASKED)

/** Every ticket of the shifts. */
export const TICKETS = Array.from({ length: HOURS }, (_, hour) => ticketOf(hour))

/** One report for each hour of the shifts; in each a ticket that the morning may ask for. */
function reportOf(hour: number): string {
  const lines = Array.from({ length: LINES }, (_, line) =>
    line === (hour * 37) % LINES
      ? `the pump in hall ${hour % 5} stopped by itself, filed as ${ticketOf(hour)} and restarted by hand`
      : `round ${line}: all gauges in hall ${line % 5} read as they did an hour before, nothing to note`,
  )
  return `Report of hour ${hour}\n${lines.join('\n')}\n`
}

function ticketOf(hour: number): string {
  return `PLANT-${4_000 + hour * 13}`
}

export const report: Tool = {
  name: 'report',
  description: 'Gives the report of an hour.',
  schema: {
    json: { type: 'object', properties: { hour: { type: 'number' } }, required: ['hour'] },
    parse: (input) => input,
  },
  isCompactable: true,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: (input) => ({ content: [{ type: 'text', text: reportOf((input as { readonly hour: number }).hour) }] }),
}

export const PROMPT = 'Read the reports of the night shifts one by one, and keep every ticket number at hand.'
/** What only the full text answers. */
export const QUESTION = `What exactly was noted beside the ticket of hour ${ASKED}?`

/** Reads all reports, one after the other. */
export const nightShift: Scenario = {
  name: 'night-shift',
  prompt: /reports of the night shifts/,
  steps: [
    ...Array.from({ length: HOURS }, (_, hour) => [{ type: 'tool_use' as const, name: 'report', input: { hour } }]),
    `I have read ${HOURS} reports.`,
  ],
}

/** What is no longer in view is looked up, and quoted. */
export const morning: Scenario = {
  name: 'morning',
  prompt: /What exactly was noted/,
  steps: [
    [{ type: 'tool_use', name: 'Recall', input: { anchor: CULPRIT } }],
    ({ results }) => `The report says: "${/the pump[^\n]*by hand/.exec(results.join('\n'))?.[0] ?? 'nothing'}".`,
  ],
}
