import { resolve } from 'node:path'
import type { SessionStore } from '@nacre/core'
import { cutOutput, persistedOutput } from './preview-words.js'

/** What can stand for a text that left the context: the longest form first, the shortest for the log. */
export interface KeptText {
  readonly forms: readonly string[]
}

export interface KeepOptions {
  readonly store: Pick<SessionStore, 'put'>
  /** The name of the blob, without an extension. */
  readonly name: string
  readonly preview: number
  /** Bytes to leave where nothing can be kept. */
  readonly cutTo: number
  readonly readTool: string | undefined
}

/** Writes a text to a blob and words what stands for it. Never rejects: where nothing can be written, the text is cut. */
export async function keepText(text: string, options: KeepOptions): Promise<KeptText> {
  const { store, name, preview, cutTo, readTool } = options
  try {
    const { blob, path } = await store.put(`${name}.${isJson(text) ? 'json' : 'txt'}`, text)
    const place = { blob, ...(path !== undefined && { path: resolve(path) }), ...(readTool && { readTool }) }
    return { forms: [preview, 0].map((bytes) => persistedOutput(text, place, bytes)) }
  } catch (error) {
    const rooms = [cutTo, preview, 0].filter((bytes, index, all) => index === 0 || bytes < (all[index - 1] as number))
    return { forms: rooms.map((bytes) => cutOutput(text, reasonOf(error), bytes)) }
  }
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text.slice(-100))) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** One short line. What a store says names the cause and what to do about it. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n', 1).join('').slice(0, 300)
}
