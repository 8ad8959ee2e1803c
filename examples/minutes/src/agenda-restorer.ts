import type { Restorer } from '@nacre/core'
import { readAgenda } from './minutes-state.js'

/** Brings the agenda back into view with each fold. */
export const agendaRestorer: Restorer = {
  name: 'agenda',
  restore({ view }) {
    const agenda = readAgenda(view)
    if (agenda.length === 0) return []
    return [{ what: 'agenda', text: agenda.map((item) => `- ${item}`).join('\n'), status: 'live' }]
  },
}
