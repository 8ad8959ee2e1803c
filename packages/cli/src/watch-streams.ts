import { EXIT } from './exit-codes.js'
import type { Terminal } from './terminal.js'

/** Keeps the program quiet where whoever reads has seen enough, and ends it where nothing more can be written. */
export function watchStreams({ stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>): void {
  stderr.on('error', () => undefined)
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A terminal that was closed is told by other ways too, and what is open has to be kept first.
    if (error.code === 'EPIPE' || (error.code === 'EIO' && stdout.isTTY)) return
    stderr.write(`nacre: What was to be said could not be written (${error.code}).\n`)
    process.exit(EXIT.failed)
  })
}
