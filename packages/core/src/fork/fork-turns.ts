/** Lets several forks share one prefix: it can be read from the cache once the first of them has begun to answer. */
export interface ForkTurns {
  /** Resolves when it is this fork's turn to ask; what it resolves to is called when its answer begins, or it ends. */
  enter(prefix: string): Promise<() => void>
}

export function createForkTurns(): ForkTurns {
  const first = new Map<string, Promise<void>>()
  return {
    async enter(prefix) {
      const ahead = first.get(prefix)
      if (ahead) {
        await ahead
        return () => undefined
      }
      let begun = () => {}
      const waiting = new Promise<void>((resolve) => {
        begun = resolve
      })
      first.set(prefix, waiting)
      return () => {
        first.delete(prefix)
        begun()
      }
    },
  }
}
