import { Readable } from 'node:stream'
import { Command } from 'commander'
import { ALL_COMMANDS } from '../../src/commands/all-commands.js'
import type { Stage } from '../session/stage.js'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export function programOf(on: Stage, end: (code: number) => void): Command {
  const program = new Command('nacre').exitOverride().showSuggestionAfterError()
  program.configureOutput({
    writeOut: (text) => on.terminal.stdout.write(text),
    writeErr: (text) => on.terminal.stderr.write(text),
  })
  for (const add of ALL_COMMANDS) add(program, on.terminal, end)
  for (const each of program.commands) each.copyInheritedSettings(program)
  return program
}

/** Runs a command line and gives what it alone has written. */
export async function nacre(on: Stage, ...args: readonly string[]): Promise<Ran> {
  const [out, err] = [on.out().length, on.err().length]
  let code = -1
  const program = programOf(on, (given) => {
    code = given
  })
  await program.parseAsync([...args], { from: 'user' }).catch((error: { readonly exitCode: number }) => {
    code = error.exitCode
  })
  return { code, out: on.out().slice(out), err: on.err().slice(err) }
}

/** The same stage with something on stdin, which is no terminal. */
export function withStdin(on: Stage, text: string): Stage {
  const stdin = Readable.from([text]) as unknown as NodeJS.ReadStream
  return { ...on, terminal: { ...on.terminal, stdin } }
}
