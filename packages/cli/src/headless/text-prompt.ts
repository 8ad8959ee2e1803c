import type { Block } from '@nacre/core'
import { usageError } from '../arguments/usage-error.js'
import type { Terminal } from '../terminal.js'
import { readStdin } from './read-stdin.js'

const PATIENCE = 3_000

/** The prompt of the command line with stdin as its context; without one, stdin is the prompt. */
export async function textPrompt(
  terminal: Pick<Terminal, 'stdin' | 'stderr'>,
  print: string | true,
): Promise<readonly Block[]> {
  const { stdin, stderr } = terminal
  const prompt = print === true ? '' : print.trim()
  const isGiven = prompt !== ''
  if (!isGiven && stdin.isTTY) throw usageError('There is no prompt. Give one: nacre -p "What does this project do?"')
  const context = stdin.isTTY ? '' : await readStdin(stdin, isGiven ? PATIENCE : undefined)
  if (context === undefined) {
    stderr.write('nacre: nothing came on stdin in 3 seconds; going on without it. Give < /dev/null to save the wait.\n')
  }
  const said = context?.trim() ?? ''
  if (!isGiven && said === '') throw usageError('There is no prompt: --print has none, and stdin is empty.')
  if (!isGiven) return [text(said)]
  return said === '' ? [text(prompt)] : [text(`<stdin>\n${said}\n</stdin>`), text(prompt)]
}

function text(words: string): Block {
  return { type: 'text', text: words }
}
