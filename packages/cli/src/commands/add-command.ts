import type { Command } from 'commander'
import { cleanText } from '../terminal/clean-text.js'
import type { Terminal } from '../terminal/terminal.js'

/** Adds a subcommand of the program, such as `nacre sessions`; its action gives an exit code to `end`. */
export type AddCommand = (program: Command, terminal: Terminal, end: (code: number) => void) => void

/** What a command takes that is about a session. */
export const SESSION = 'an id or its beginning, words of the title, or "latest"'

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
      import('../terminal/error-exit-code.js'),
    ])
    const said = isNacreError(error) ? error.message : String((error as Error)?.stack ?? error)
    terminal.stderr.write(`nacre: ${cleanText(said)}\n`)
    end(exitCodeOf(error))
  }
}

/** Examples for the end of a command's help. */
export function exampleHelp(...examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`
}
