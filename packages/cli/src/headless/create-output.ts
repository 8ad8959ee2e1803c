import type { OutputFormat } from '../arguments/run-options.js'
import type { Terminal } from '../terminal.js'
import { jsonOutput } from './json-output.js'
import type { ScriptOutput } from './script-output.js'
import { streamJsonOutput } from './stream-json-output.js'
import { textOutput } from './text-output.js'

/** The output for a format. */
export function createOutput(format: OutputFormat, terminal: Terminal): ScriptOutput {
  if (format === 'json') return jsonOutput(terminal)
  return format === 'text' ? textOutput(terminal) : streamJsonOutput(terminal, terminal.cwd)
}
