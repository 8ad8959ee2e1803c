import type { Command } from '@nacre/core'
import { readAgenda, readMinutes } from './minutes-state.js'

/** Shows the minutes and the agenda. */
export const minutesCommand: Command = {
  name: 'minutes',
  help: 'Shows the minutes and the agenda.',
  run(_args, context) {
    const view = context.view()
    if (view.rounds.length === 0) return 'Nothing was said yet.'
    const agenda = readAgenda(view).map((item) => `- ${item}`)
    return [readMinutes(view)?.text ?? 'There are no minutes yet.', ...agenda].join('\n')
  },
}
