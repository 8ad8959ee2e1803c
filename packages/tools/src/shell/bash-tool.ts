import type { ToolResult } from '@nacre/core'
import { z } from 'zod'
import { defineTool, type ShownTool, textOf } from '../define-tool.js'
import { runForeground } from './run-foreground.js'
import type { ShellKit } from './shell-kit.js'
import { startBackground } from './start-background.js'
import { firstLine, visibleText } from './visible-text.js'

export interface BashInput {
  readonly command: string
  readonly timeout?: number | undefined
  readonly run_in_background?: boolean | undefined
  readonly description?: string | undefined
}

/** Runs shell commands, in the foreground or in the background. */
export function bashTool(kit: ShellKit): ShownTool<BashInput> {
  const { limits, isReadOnlyCommand } = kit
  const isReadOnly = ({ command }: BashInput) => isReadOnlyCommand(command)
  // Beside others a change of folder would depend on who ends last.
  const isConcurrencySafe = (input: BashInput) =>
    isReadOnly(input) && !input.run_in_background && !/\b(?:cd|pushd|popd)\b/.test(input.command)
  return defineTool({
    name: 'Bash',
    description: description(limits.timeout, limits.maxTimeout),
    input: inputSchema(limits.maxTimeout),
    traits: { isReadOnly, isConcurrencySafe, isCompactable: true, maxResultChars: limits.resultChars },
    check: (input) =>
      isReadOnly(input) ? undefined : { verdict: 'ask', reason: `Run in the shell: ${visibleText(input.command)}` },
    run(input, context) {
      context.signal.throwIfAborted()
      if (process.platform === 'win32') throw new Error('Bash does not run on Windows itself: use WSL.')
      const { command, timeout = limits.timeout, run_in_background: isBackground } = input
      if (isBackground) return startBackground(kit, command, context)
      return runForeground(kit, { command, timeout, mayMove: !isConcurrencySafe(input) }, context)
    },
    title: ({ command, description }) => visibleText(firstLine(description || `$ ${command}`)),
    show: (_input, result) => shown(result),
  })
}

function description(timeout: number, maxTimeout: number): string {
  return `Runs a command in the shell and gives what it writes, stdout and stderr together, and its exit code where that is not 0.
- The working folder is kept from call to call; variables, functions and aliases are not.
- There is no terminal and no input: what asks questions or opens an editor fails. Pass answers as flags.
- Times are in milliseconds: ${timeout} unless told, at most ${maxTimeout}. Then all processes of the command are ended.
- What a command leaves running with & is ended with it. Use run_in_background for servers and long work, then BashOutput and KillBash.
- Of a long output the beginning and the end are given; the whole is in a file that is named. Colour codes are taken out.
- To read, edit and search files, prefer Read, Edit, Grep and Glob where you have them.`
}

function inputSchema(maxTimeout: number) {
  return z.object({
    command: z
      .string()
      .min(1)
      .refine((command) => !command.includes('\0'), 'A command can not have the character NUL in it.')
      .describe('The command to run.'),
    timeout: z
      .number()
      .int()
      .min(1)
      .max(maxTimeout)
      .optional()
      .describe('Milliseconds until it is ended. Not for the background.'),
    run_in_background: z.boolean().optional().describe('Give an id at once and let it run.'),
    description: z.string().optional().describe('What it does, in five to ten words, for the person who watches.'),
  })
}

const SHOWN_LINES = 4

/** A few lines of output, and all notes below it: the exit code is one of them. */
function shown(result: ToolResult): string {
  const lines = textOf(result).split('\n')
  const end = lines.findLastIndex((line) => !/^\[.*\]$/.test(line)) + 1
  const output = lines.slice(0, end)
  const more = end - SHOWN_LINES
  const few = more > 1 ? [...output.slice(0, SHOWN_LINES), `… ${more} more lines`] : output
  return [...few, ...lines.slice(end)].join('\n')
}
