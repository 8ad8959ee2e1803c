import type { ProcessTree } from './process-tree.js'
import type { ShellTime } from './shell-options.js'

const STEP = 20
/** What does not go by then hangs in the kernel and goes by no signal. */
const KILL_ROUNDS = 50

/** Ends all processes of a command: politely first, then for good. Each round looks again, for what was begun meanwhile. */
export async function endTree(tree: ProcessTree, grace: number, time: ShellTime): Promise<void> {
  const { signal } = new AbortController()
  if (!tree.signal('SIGTERM')) return
  for (let waited = 0; waited < grace; waited += STEP) {
    await time.wait(STEP, signal)
    if (!tree.signal(0)) return
  }
  for (let round = 0; round < KILL_ROUNDS && tree.signal('SIGKILL'); round++) await time.wait(STEP, signal)
}
