import { EXIT } from './exit-codes.js'
import type { Terminal } from './terminal.js'

/**
 * Ends the program in one line where something throws that nobody waits for: a timer of a plugin, say. Who knows what
 * else is broken then, so it does not go on; the log has all that was said.
 */
export function watchStrayErrors({ stderr }: Pick<Terminal, 'stderr'>): void {
  process.on('uncaughtException', (error) => {
    const { message, stack = '' } = Object(error) as Partial<Error>
    const [place] = /(?:file:\/\/)?\/[^\s()]+:\d+:\d+/.exec(stack.replace(message ?? '', '')) ?? []
    stderr.write(
      `nacre: ${message ?? String(error)} (thrown at ${place ?? 'an unknown place'}, where nobody waited for it)\n`,
    )
    process.exit(EXIT.failed)
  })
}
