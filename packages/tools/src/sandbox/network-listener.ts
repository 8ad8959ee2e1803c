import { once } from 'node:events'
import type { ListenOptions, Server, Socket } from 'node:net'

/** Lets a server listen, without keeping the program alive. Gives what ends it and all that is connected to it. */
export async function listen(server: Server, where: ListenOptions): Promise<() => Promise<void>> {
  const open = new Set<Socket>()
  server.on('connection', (socket) => open.add(socket.once('close', () => open.delete(socket))))
  server.listen(where)
  await once(server, 'listening')
  // A connection that can't be taken, for want of descriptors, is no reason to end the program.
  server.on('error', () => undefined).unref()
  return async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy(new Error('The server was closed.'))
    await closed
  }
}

/** Passes on what two sockets send, each way to its own end. What is cut off on one side is cut off on the other. */
export function relay(one: Socket, other: Socket): void {
  const pass = (from: Socket, to: Socket) => {
    from.on('error', () => undefined).pipe(to)
    from.on('close', () => {
      if (!from.readableEnded || !from.writableFinished) to.destroy()
    })
  }
  pass(one, other)
  pass(other, one)
}
