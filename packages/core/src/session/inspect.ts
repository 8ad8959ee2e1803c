import { LIFETIMES } from './accounts.js'
import type { Inspection } from './inspection.js'
import type { Runtime } from './runtime.js'

export function inspect({ seat, plugins, accounts, tokens, ttl, senses, store, status }: Runtime): Inspection {
  const last = tokens.lastResponse()
  return {
    model: seat.model().info,
    plugins: plugins.plugins,
    spent: accounts.ledger().list(),
    cache: { ttl, ...(last !== undefined && { left: Math.max(0, last + LIFETIMES[ttl] - senses.now()) }) },
    entries: () => store.read(status.first),
  }
}
