/** Something that waits until it is told to go on, or is stopped. */
export interface Gate {
  wait(signal: AbortSignal): Promise<void>
  open(): void
}

export function gate(): Gate {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return {
    open: () => open(),
    wait: (signal) =>
      Promise.race([opened, new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))]),
  }
}
