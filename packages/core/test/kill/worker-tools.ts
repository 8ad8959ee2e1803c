import type { Tool } from '../../src/types/tool.js'

/** Tools whose results follow from their input alone; `ran` hears of each run as it begins. */
export function workerTools(ran: (callId: string) => void, slowness: number): readonly Tool[] {
  const make = (name: string, isReadOnly: boolean, isSafe: boolean, wait: number): Tool => ({
    name,
    description: `Does ${name}.`,
    schema: { json: { type: 'object', properties: { what: { type: 'string' } } }, parse: (input) => input },
    isReadOnly: () => isReadOnly,
    isConcurrencySafe: () => isSafe,
    async run(input, { callId }) {
      ran(callId)
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
      return { content: [{ type: 'text', text: `${name}: ${`${(input as { what: string }).what} `.repeat(20)}` }] }
    },
  })
  return [
    make('look', true, true, 0),
    make('search', true, true, slowness),
    make('fetch', false, true, slowness),
    make('write', false, false, 0),
  ]
}

export const SYSTEM = 'You work until all is done. '.repeat(20)
