import type { Command } from 'commander'
import type { Terminal } from '../terminal.js'

/** Adds a subcommand of the program, such as `nacre sessions`; its action gives an exit code to `end`. */
export type AddCommand = (program: Command, terminal: Terminal, end: (code: number) => void) => void
