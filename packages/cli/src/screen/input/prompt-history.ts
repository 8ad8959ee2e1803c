import { appendFile, chmod, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makePrivateFolder } from '@nacre/core/node'
import type { Terminal } from '../../terminal/terminal.js'
import type { ScreenStore } from '../state/screen-state.js'

const KEPT = 500

/** What was sent before, in a file that only its owner can read. */
interface PromptHistory {
  /** Oldest first; those of the file once it is read. */
  prompts(): readonly string[]
  /** A file that can not be written is no reason to stop: then it is remembered until the end. */
  add(prompt: string): void
  /** Reads the file, and puts there what was added before; one that is missing or broken is an empty one. */
  load(file: string): Promise<void>
  /** Resolves when all that was added is in the file. */
  kept(): Promise<void>
}

export function promptHistory(): PromptHistory {
  let before: readonly string[] = []
  let added: readonly string[] = []
  let place: string | undefined
  let work = Promise.resolve()
  const prompts = () => [...before, ...added]
  const keep = (file: string, prompt: string) => {
    work = work.then(() => append(file, prompt)).catch(() => undefined)
  }
  return {
    prompts,
    add(prompt) {
      if (prompts().at(-1) === prompt) return
      added = [...added, prompt]
      if (place !== undefined) keep(place, prompt)
    },
    async load(file) {
      before = await readPrompts(file)
      place = file
      for (const prompt of added) keep(file, prompt)
    },
    kept: () => work,
  }
}

async function readPrompts(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n').flatMap(parsed)
  const prompts = lines.slice(-KEPT)
  if (lines.length > 2 * KEPT) await save(file, prompts).catch(() => undefined)
  return prompts
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
  await makePrivateFolder(dirname(file))
  await appendFile(file, `${JSON.stringify(prompt)}\n`, { mode: 0o600 })
  await chmod(file, 0o600)
}

async function save(file: string, prompts: readonly string[]): Promise<void> {
  await writeFile(file, prompts.map((prompt) => `${JSON.stringify(prompt)}\n`).join(''), { mode: 0o600 })
}

/** Goes through what was sent before, and first through what still waits to be sent. */
interface RecallPrompts {
  older(): string | undefined
  newer(): string | undefined
  /** What is typed next is something new. */
  reset(): void
}

export function recallPrompts(store: ScreenStore, prompts: () => readonly string[]): RecallPrompts {
  let back = 0
  let draft = ''
  const at = () => (back === 0 ? draft : prompts().at(-back))
  return {
    older() {
      const { queue, editor } = store.state()
      // A message that waits is taken back to be edited.
      if (queue.length > 0 && editor.text === '') {
        store.change({ queue: queue.slice(0, -1) })
        return queue.at(-1)
      }
      if (back >= prompts().length) return undefined
      if (back === 0) draft = editor.text
      back += 1
      return at()
    },
    newer() {
      if (back === 0) return undefined
      back -= 1
      return at()
    },
    reset() {
      back = 0
    },
  }
}

/** Where prompts are remembered. Loaded late: the first line of the screen does not wait for it. */
export async function historyFile(terminal: Terminal): Promise<string> {
  const { dataPlace } = await import('../../session/project-store.js')
  return join(dataPlace(terminal), 'history.jsonl')
}
