import { appendFile, chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

const KEPT = 500

/** What was sent before, oldest first, in a file that only its owner can read. */
export interface PromptHistory {
  readonly prompts: readonly string[]
  /** A file that can not be written is no reason to stop: then it is remembered until the end. */
  add(prompt: string): Promise<void>
}

/** Reads the history of prompts; a file that is missing or broken is an empty one. */
export async function promptHistory(file: string): Promise<PromptHistory> {
  const lines = await readFile(file, 'utf8').then(
    (text) => text.split('\n').flatMap(parsed),
    () => [],
  )
  const prompts = lines.slice(-KEPT)
  if (lines.length > 2 * KEPT) await save(file, prompts).catch(() => undefined)
  return {
    prompts,
    async add(prompt) {
      if (prompts.at(-1) === prompt) return
      prompts.push(prompt)
      await append(file, prompt).catch(() => undefined)
    },
  }
}

function parsed(line: string): string[] {
  try {
    const prompt: unknown = JSON.parse(line)
    return typeof prompt === 'string' ? [prompt] : []
  } catch {
    return []
  }
}

async function append(file: string, prompt: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await appendFile(file, `${JSON.stringify(prompt)}\n`, { mode: 0o600 })
  await chmod(file, 0o600)
}

async function save(file: string, prompts: readonly string[]): Promise<void> {
  await writeFile(file, prompts.map((prompt) => `${JSON.stringify(prompt)}\n`).join(''), { mode: 0o600 })
}
