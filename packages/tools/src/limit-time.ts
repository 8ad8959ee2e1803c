import { createContext, Script } from 'node:vm'

const script = new Script('work()')
const room = createContext({})

/**
 * Does synchronous work that what others have written could make last for ever, such as a pattern that backtracks.
 * Gives what `late` gives when the time is up: the work is stopped where it stands.
 */
export function limitTime<Result>(milliseconds: number, work: () => Result, late: () => Result): Result {
  const outer = room.work
  room.work = work
  try {
    return script.runInContext(room, { timeout: milliseconds })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return late()
    throw error
  } finally {
    room.work = outer
  }
}
