import type { Command, View } from '@nacre/core'
import { readAgenda, readMinutes } from './minutes-state.js'

/** Shows the minutes and the agenda. A command is given no view, so the plugin shows it each one that it hears of. */
export function minutesCommand(): Command & { look(view: View): void } {
  let seen: View | undefined
  return {
    name: 'minutes',
    help: 'Shows the minutes and the agenda.',
    look(view) {
      seen = view
    },
    run() {
      if (!seen) return 'Nothing was said yet.'
      const agenda = readAgenda(seen).map((item) => `- ${item}`)
      return [readMinutes(seen)?.text ?? 'There are no minutes yet.', ...agenda].join('\n')
    },
  }
}
