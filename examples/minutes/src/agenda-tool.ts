import type { Tool } from '@nacre/core'
import { readAgenda, stateEntry } from './minutes-state.js'

/** Puts an item on the agenda. */
export const agendaTool: Tool<string> = {
  name: 'agenda',
  description: 'Puts an item on the agenda. It stays in sight for the rest of the session.',
  schema: {
    json: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
    parse(input) {
      const { item } = Object(input)
      if (typeof item !== 'string' || item.trim() === '') throw new Error('item has to be a text')
      return item
    },
  },
  isReadOnly: () => false,
  isConcurrencySafe: () => false,
  async run(item, { view, store }) {
    if (!view || !store)
      return { content: [{ type: 'text', text: 'There is no agenda outside of a session.' }], isError: true }
    const agenda = [...readAgenda(view), item]
    await store.append([stateEntry('agenda', agenda)])
    return { content: [{ type: 'text', text: `On the agenda: ${agenda.join('; ')}` }] }
  },
}
