import type { Result } from './schema/result-schema.js'
import type { OutputStreams, ScriptOutput } from './script-output.js'

/** One object when all is over, background work included. */
export function jsonOutput({ stdout }: OutputStreams): ScriptOutput {
  let last: (() => Result) | undefined
  return {
    opened() {},
    event() {},
    reported() {},
    answered(result) {
      last = result
    },
    ended({ exitCode }) {
      if (last) stdout.write(`${JSON.stringify({ ...last(), exitCode })}\n`)
    },
  }
}
