import { appendFile } from 'node:fs/promises'
import { definePlugin } from '@nacre/core'

/**
 * Appends a line of JSON to a file for each compaction, and for each that failed. `PostCompact` would be too early: it is
 * asked before the fold is in the log, for dry runs too, and its price is not known by then.
 * @param {string | URL} file
 */
export function logCompactions(file) {
  return definePlugin({
    name: 'log-compactions',
    setup({ sessionId, now }) {
      /** @param {object} fields */
      const log = (fields) => appendFile(file, `${JSON.stringify({ time: now(), session: sessionId, ...fields })}\n`)
      return {
        hooks: {
          async ViewChanged({ edit }) {
            if (edit.receipt) await log({ owner: edit.owner, reason: edit.reason, receipt: edit.receipt })
          },
          async CompactFailed({ trigger, tokens, error }) {
            await log({ failed: error.message, trigger, tokens })
          },
        },
      }
    },
  })
}
