import { usageError } from '../arguments/usage-error.js'

const MOST_BYTES = 10 * 1024 * 1024

/**
 * All of stdin as text. With `patience`, a pipe that nobody writes to and nobody closes is left alone after so many
 * milliseconds, and the answer is `undefined`: many programs start others that way.
 */
export async function readStdin(stdin: NodeJS.ReadStream, patience?: number): Promise<string | undefined> {
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
