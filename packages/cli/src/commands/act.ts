import type { Terminal } from '../terminal.js'

/** Does the work of a command and ends with its exit code; what it throws is told in one line, without a stack. */
export async function act(
  terminal: Pick<Terminal, 'stderr'>,
  end: (code: number) => void,
  work: () => Promise<number>,
): Promise<void> {
  try {
    end(await work())
  } catch (error) {
    // Loaded only now: most starts of the program never come here.
    const [{ isNacreError }, { exitCodeOf }] = await Promise.all([
      import('@nacre/core'),
      import('../session/no-model.js'),
    ])
    terminal.stderr.write(`nacre: ${isNacreError(error) ? error.message : String((error as Error)?.stack ?? error)}\n`)
    end(exitCodeOf(error))
  }
}
