import type { ProcessTree } from './process-tree.js'

const live = new Set<ProcessTree>()

/** Ends a command with this program, should the program end before it. Returns the way to forget it again. */
export function watchTree(tree: ProcessTree): () => void {
  if (live.size === 0) process.on('exit', endAll)
  live.add(tree)
  return () => {
    if (live.delete(tree) && live.size === 0) process.off('exit', endAll)
  }
}

function endAll(): void {
  for (const tree of live) tree.signal('SIGKILL', 'all')
}
