import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** One pipe for all that a command writes. */
export interface OutputPipe {
  readonly reader: Socket
  /** For the process; to be closed on this side as soon as the process has it. */
  readonly writer: number
  closeWriter(): void
}

/**
 * Node's own pipes are sockets, which can not be opened as /dev/stdout or /dev/stderr: `tee /dev/stderr` would fail. So
 * the pipe is made by name, and the name is taken away at once. Both streams go through it, in the order of arrival.
 */
export async function openPipe(folder: string): Promise<OutputPipe> {
  const path = join(folder, randomUUID())
  await promisify(execFile)('mkfifo', ['-m', '600', path])
  try {
    // Without waiting for a writer, who comes next; a file handle would close it behind the back of the socket.
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const writer = openSync(path, constants.O_WRONLY)
    const socket = new Socket({ fd: reader, readable: true, writable: false })
    return { reader: socket, writer, closeWriter: () => closeSync(writer) }
  } finally {
    rmSync(path, { force: true })
  }
}
