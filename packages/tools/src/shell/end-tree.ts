import type { ProcessTree, Whom } from './process-tree.js'
import type { ShellTime } from './shell-options.js'

const STEP = 20
/** What does not go by then hangs in the kernel and goes by no signal. */
const KILL_ROUNDS = 50

export interface TreeEnd {
  readonly whom: Whom
  /** Milliseconds between the polite signal and the other. */
  readonly grace: number
  readonly time: ShellTime
}

/**
 * Ends the processes of a command: politely first, then for good. Each round looks again, for what was begun meanwhile.
 * Tells whether nothing runs any more: what belongs to another user can not be ended.
 */
export async function endTree(tree: ProcessTree, { whom, grace, time }: TreeEnd): Promise<boolean> {
  const { signal } = new AbortController()
  if (!tree.signal('SIGTERM', whom)) return true
  for (let waited = 0; waited < grace; waited += STEP) {
    await time.wait(STEP, signal)
    if (!tree.signal(0, whom)) return true
  }
  for (let round = 0; round < KILL_ROUNDS; round++) {
    if (!tree.signal('SIGKILL', whom)) return true
    await time.wait(STEP, signal)
  }
  return false
}
