import { CommanderError } from 'commander'
import { createProgram, misspeltCommand } from './arguments/create-program.js'
import { type RunFlags, readOptions, usageError } from './arguments/run-options.js'
import { ALL_COMMANDS } from './commands/all-commands.js'
import { cleanText } from './terminal/clean-text.js'
import { EXIT, type Terminal } from './terminal/terminal.js'

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
    const { exitCodeOf } = await import('./terminal/error-exit-code.js')
    stderr.write(`nacre: ${cleanText((error as Error)?.message ?? String(error))}\n`)
    return exitCodeOf(error)
  }
  // Help and the version end by an error too.
  if (error.exitCode === 0) return EXIT.done
  if (error.code === 'nacre.usage') stderr.write(`nacre: ${cleanText(error.message)}\n`)
  if (/^error: too many arguments\. /.test(error.message)) {
    stderr.write('A prompt of several words needs quotation marks: nacre "Fix the login test"\n')
  }
  stderr.write('nacre --help shows what there is.\n')
  return EXIT.usage
}

/** Keeps the program quiet where whoever reads has seen enough, and ends it where nothing more can be written. */
function watchStreams({ stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>): void {
  stderr.on('error', () => undefined)
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A terminal that was closed is told by other ways too, and what is open has to be kept first.
    if (error.code === 'EPIPE' || (error.code === 'EIO' && stdout.isTTY)) return
    stderr.write(`nacre: What was to be said could not be written (${error.code}).\n`)
    process.exit(EXIT.failed)
  })
}

/**
 * Ends the program in one line where something throws that nobody waits for: a timer of a plugin, say. Who knows what
 * else is broken then, so it does not go on; the log has all that was said.
 */
function watchStrayErrors({ stderr }: Pick<Terminal, 'stderr'>): void {
  process.on('uncaughtException', (error) => {
    const { message, stack = '' } = Object(error) as Partial<Error>
    const [place] = /(?:file:\/\/)?\/[^\s()]+:\d+:\d+/.exec(stack.replace(message ?? '', '')) ?? []
    stderr.write(
      `nacre: ${message ?? String(error)} (thrown at ${place ?? 'an unknown place'}, where nobody waited for it)\n`,
    )
    process.exit(EXIT.failed)
  })
}
