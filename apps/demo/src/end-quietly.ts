const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** Ends the process at once when somebody interrupts it, or when nobody reads on; what listens to `exit` still runs. */
export function endQuietly(): void {
  for (const [signal, code] of Object.entries(SIGNALS)) process.once(signal, () => process.exit(code))
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0)
    process.stderr.write(`demo: What was to be said could not be written (${code}).\n`)
    process.exit(1)
  })
}
