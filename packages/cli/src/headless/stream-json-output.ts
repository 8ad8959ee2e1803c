import type { Line } from './schema/line-schema.js'
import { OUTPUT_VERSION } from './schema/version.js'
import type { OutputStreams, ScriptOutput } from './script-output.js'
import { toLine } from './to-line.js'

/** A line for everything that happens. */
export function streamJsonOutput({ stdout }: OutputStreams, cwd: string): ScriptOutput {
  const version = OUTPUT_VERSION
  const write = (line: Line) => stdout.write(`${JSON.stringify(line)}\n`)
  return {
    opened({ session, model, isOffline, notices }) {
      const offline = isOffline
      write({ version, type: 'start', session: session.id, model: model.id, cwd, offline, notices: [...notices] })
    },
    event(event) {
      if (event.type !== 'end') write(toLine(event))
    },
    reported({ message, details }) {
      write({ version, type: 'notice', notice: { level: 'error', owner: details.plugin ?? 'nacre', text: message } })
    },
    answered: (result) => write(result()),
    ended: (end) => write({ version, type: 'end', ...end }),
  }
}
