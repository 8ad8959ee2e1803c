/** Whoever reads what the program writes. */
export interface Reader {
  /** Whether they have gone, as `head` does when it has what it wants. */
  readonly hasLeft: boolean
}

/** Watches a stream: when its reader leaves, the run is stopped, and nothing is said about it. */
export function watchReader(stdout: Pick<NodeJS.WriteStream, 'on'>, controller: AbortController): Reader {
  const reader = { hasLeft: false }
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // All else ends the program, where it is watched.
    if (error.code !== 'EPIPE') return
    reader.hasLeft = true
    controller.abort()
  })
  return reader
}
