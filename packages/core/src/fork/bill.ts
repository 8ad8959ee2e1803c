import type { Source } from '../contract/fork.js'
import type { Usage } from '../log/entry.js'
import type { Runtime } from '../session/runtime.js'

/** Takes account of what was asked beside the conversation: in the costs, for whoever listens, and in `spent`. */
export function bill({ accounts, emit }: Pick<Runtime, 'accounts' | 'emit'>, source: Source, spent: Usage[]) {
  return (usage: Usage, model: string): void => {
    spent.push(usage)
    accounts.ledger().add(source, usage, model)
    emit({ type: 'usage', source, usage })
  }
}
