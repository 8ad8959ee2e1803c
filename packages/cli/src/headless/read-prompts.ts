import { createInterface } from 'node:readline'
import type { Block } from '@nacre/core'
import { usageError } from '../arguments/run-options.js'
import type { Terminal } from '../terminal/terminal.js'

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

const MOST_BYTES = 10 * 1024 * 1024

/**
 * All of stdin as text. With `patience`, a pipe that nobody writes to and nobody closes is left alone after so many
 * milliseconds, and the answer is `undefined`: many programs start others that way.
 */
async function readStdin(stdin: NodeJS.ReadStream, patience?: number): Promise<string | undefined> {
  if (patience !== undefined && !(await comesToLife(stdin, patience))) return undefined
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk))
    bytes += chunk.length
    if (bytes > MOST_BYTES)
      throw usageError('stdin has more than 10 MB. Write it to a file, and name the file in the prompt.')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw usageError('stdin is no UTF-8 text. Write it to a file, and name the file in the prompt.')
  }
}

function comesToLife(stdin: NodeJS.ReadStream, patience: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const settle = (isAlive: boolean) => {
      clearTimeout(timer)
      stdin.off('readable', alive).off('end', alive).off('error', reject)
      resolve(isAlive)
    }
    const alive = () => settle(true)
    const timer = setTimeout(() => settle(false), patience)
    stdin.once('readable', alive).once('end', alive).once('error', reject)
  })
}

const EXPECTED =
  'expected {"type":"user","content":"…"}, where the content is a text or a list of blocks of type text, image or document'

/** The messages of `--input-format stream-json`, one on each line, as they come. */
export async function* readMessages(stdin: NodeJS.ReadStream): AsyncGenerator<string | readonly Block[]> {
  let number = 0
  for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    if (line.trim() !== '') yield contentOf(line, number)
  }
}

function contentOf(line: string, number: number): string | readonly Block[] {
  const message = Object(parse(line, number)) as Record<string, unknown>
  // Other programs put the content one level deeper.
  const content = message.content ?? (Object(message.message) as Record<string, unknown>).content
  if (message.type === 'user' && isContent(content)) return content
  throw usageError(`stdin, line ${number}: ${EXPECTED}.`)
}

function parse(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw usageError(`stdin, line ${number} is no JSON (${(error as Error).message}): ${EXPECTED}.`)
  }
}

function isContent(content: unknown): content is string | readonly Block[] {
  if (typeof content === 'string') return content.trim() !== ''
  return Array.isArray(content) && content.length > 0 && content.every(isBlock)
}

/** What a person can say. A block that the API refuses would stay in the session, and every later request would fail. */
function isBlock(value: unknown): boolean {
  const { type, text, source } = Object(value) as Record<string, unknown>
  if (type === 'text') return typeof text === 'string' && text.trim() !== ''
  return (type === 'image' || type === 'document') && typeof (Object(source) as { type?: unknown }).type === 'string'
}
