import type { Draft, Id, Replace, View } from '@nacre/core'
import { withText } from './content-text.js'
import { openResults } from './find-results.js'
import type { HeldResult } from './message-results.js'

/**
 * The edit that shows results of the last answer in their shorter form. A result may be decided on before it is
 * logged, so what it changes is worked out when core looks at it: then all of them are there.
 */
export function revisionDraft(view: () => View, revised: () => Iterable<HeldResult>, nameOf: (call: Id) => Id): Draft {
  return {
    reason: 'results of one message that were too long',
    get changes() {
      const logged = new Map(openResults(view()).map((result) => [result.call.id, result]))
      return [...revised()].flatMap(({ call, content, text }): Replace[] => {
        const found = logged.get(nameOf(call))
        if (!found) return []
        const block = { ...found.block, content: withText(content, text.shown()) }
        return [{ kind: 'replace', target: found.target, content: [block] }]
      })
    },
  }
}
