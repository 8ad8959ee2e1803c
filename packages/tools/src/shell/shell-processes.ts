import { type ProcessSettings, type ShellProcess, startProcess } from './start-process.js'

/** All commands that one set of tools has running. */
export interface ShellProcesses {
  start(command: string, cwd: string): Promise<ShellProcess>
  /** Ends what still runs; nothing can be started afterwards. */
  close(): Promise<void>
}

export function shellProcesses(settings: ProcessSettings): ShellProcesses {
  const running = new Set<ShellProcess>()
  let isClosed = false
  const endAll = async () => {
    await Promise.all([...running].map((process) => process.end('all')))
    for (const process of running) process.release()
  }
  return {
    async start(command, cwd) {
      const started = isClosed ? undefined : await startProcess(command, cwd, settings)
      if (started) {
        const process: ShellProcess = {
          ...started,
          release() {
            started.release()
            running.delete(process)
          },
        }
        running.add(process)
        if (!isClosed) return process
        await endAll()
      }
      throw new Error('The shell is closed: its session has ended.')
    },
    close() {
      isClosed = true
      return endAll()
    },
  }
}
