import { readFile } from 'node:fs/promises'
import type { Entry } from '@nacre/core'

export interface ReadLines {
  readonly entries: readonly Entry[]
  readonly problems: readonly string[]
}

/** Every line of a log, also behind one that can't be read: each holds a batch of entries. */
export async function readLines(file: string): Promise<ReadLines> {
  const entries: Entry[] = []
  const problems: string[] = []
  const lines = (await readFile(file, 'utf8')).split('\n')
  const tail = lines.pop() ?? ''
  for (const [index, line] of lines.entries()) {
    const batch = batchIn(line)
    if (batch) entries.push(...batch)
    else problems.push(`${file}, line ${index + 1}: no batch of entries`)
  }
  if (tail !== '')
    problems.push(`${file}: the last line was cut off while it was written; it is dropped when the session is opened`)
  return { entries, problems }
}

function batchIn(line: string): readonly Entry[] | undefined {
  try {
    const { entries } = JSON.parse(line) as { readonly entries?: readonly Entry[] }
    return Array.isArray(entries) && entries.every(({ id, kind }) => id !== undefined && kind !== undefined)
      ? entries
      : undefined
  } catch {
    return undefined
  }
}
