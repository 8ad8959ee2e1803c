/** How a screen comes to its end: once asked for in peace, twice at once. */
export interface Ending {
  end(): void
  readonly ended: Promise<void>
  /** The person does not want to wait for what has to be closed. */
  readonly forced: Promise<undefined>
  /** Falls with the first of them. */
  readonly signal: AbortSignal
}

export function createEnding(): Ending {
  const asked = new AbortController()
  const forced = new AbortController()
  return {
    end: () => (asked.signal.aborted ? forced : asked).abort(),
    ended: fallen(asked.signal),
    forced: fallen(forced.signal),
    signal: asked.signal,
  }
}

function fallen(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
}
