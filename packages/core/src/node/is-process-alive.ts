import { errorCode } from './store-error.js'

/** Whether a process of this machine runs, be it another user's. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
