import type { SessionDetails } from '@nacre/core'
import { suggestRule } from '@nacre/tools'
import type { Terminal } from '../terminal.js'
import { plainText } from './plain-text.js'

/** Answers questions where nobody is there: no, with a line on how to allow it. */
export interface Denier {
  readonly ask: NonNullable<SessionDetails['ask']>
  /** What would allow a call that was denied. */
  rule(callId: string): string | undefined
}

export function denyCalls({ stderr, cwd }: Pick<Terminal, 'stderr' | 'cwd'>): Denier {
  const rules = new Map<string, string>()
  return {
    async ask(call, reason) {
      const rule = suggestRule(call, cwd)
      if (rule !== undefined) rules.set(call.id, rule)
      const way = rule === undefined ? '--permission-mode bypassPermissions' : `--allowed-tools '${rule}'`
      const line = `nacre: ${call.name} was not allowed, since nobody is there to ask: ${reason} To allow it: ${way}`
      stderr.write(`${plainText(line).replace(/\s+/g, ' ')}\n`)
      return 'deny'
    },
    rule: (callId) => rules.get(callId),
  }
}
