import { CommanderError } from 'commander'
import { createProgram } from './arguments/create-program.js'
import { misspeltCommand } from './arguments/misspelt-command.js'
import { readOptions } from './arguments/read-options.js'
import type { RunFlags } from './arguments/run-flags.js'
import { usageError } from './arguments/usage-error.js'
import { ALL_COMMANDS } from './commands/all-commands.js'
import { EXIT } from './exit-codes.js'
import type { Terminal } from './terminal.js'
import { watchStrayErrors } from './watch-stray-errors.js'
import { watchStreams } from './watch-streams.js'

/** Runs the program: a command, a query for a script, or the screen. Gives the exit code. */
export async function run(terminal: Terminal, version: string): Promise<number> {
  let code: number = EXIT.done
  watchStreams(terminal)
  watchStrayErrors(terminal)
  const program = createProgram(version).configureOutput({
    writeOut: (text) => terminal.stdout.write(text),
    writeErr: (text) => terminal.stderr.write(text),
    outputError: (text, write) => write(text.replace(/^error: /, 'nacre: ')),
  })
  for (const addCommand of ALL_COMMANDS) addCommand(program, terminal, (given) => (code = given))
  const checkWord = (word: string | undefined) => {
    const slip = misspeltCommand(program, terminal.args, word)
    if (slip) throw usageError(slip)
  }
  program.action(async (prompt: string | undefined, flags: RunFlags) => {
    checkWord(prompt)
    code = await start(terminal, flags, prompt)
  })
  try {
    checkWord(terminal.args[terminal.args[0] === 'help' ? 1 : 0])
    await program.parseAsync([...terminal.args], { from: 'user' })
    return code
  } catch (error) {
    return explain(terminal, error)
  }
}

async function start(terminal: Terminal, flags: RunFlags, prompt: string | undefined): Promise<number> {
  const options = await readOptions(terminal, flags, prompt)
  if (options.print !== undefined) {
    const { runHeadless } = await import('./headless/run-headless.js')
    return runHeadless(terminal, options)
  }
  if (!terminal.stdin.isTTY || !terminal.stdout.isTTY) {
    const stream = terminal.stdin.isTTY ? 'stdout' : 'stdin'
    throw usageError(
      `${stream} is no terminal. For scripts, ask with --print: stdin is read, and the answer is printed.`,
    )
  }
  const { runScreen } = await import('./screen/run-screen.js')
  return runScreen(terminal, options)
}

/** Says what went wrong, if that was not said yet. */
async function explain({ stderr }: Terminal, error: unknown): Promise<number> {
  if (!(error instanceof CommanderError)) {
    const { exitCodeOf } = await import('./session/no-model.js')
    stderr.write(`nacre: ${(error as Error)?.message ?? String(error)}\n`)
    return exitCodeOf(error)
  }
  // Help and the version end by an error too.
  if (error.exitCode === 0) return EXIT.done
  if (error.code === 'nacre.usage') stderr.write(`nacre: ${error.message}\n`)
  if (/^error: too many arguments\. /.test(error.message)) {
    stderr.write('A prompt of several words needs quotation marks: nacre "Fix the login test"\n')
  }
  stderr.write('nacre --help shows what there is.\n')
  return EXIT.usage
}
