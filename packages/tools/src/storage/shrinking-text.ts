import { resolve } from 'node:path'
import type { Block, SessionStore } from '@nacre/core'
import { cutOutput, persistedOutput } from './preview.js'

/** A text on its way into the context, which can be made shorter in steps. */
export interface ShrinkingText {
  /** As it would enter the context now. */
  shown(): string
  /** What stands for it in the log, once it is kept elsewhere. */
  logged(): string | undefined
  canShrink(): boolean
  /** One step: the whole is kept elsewhere and a preview is shown, then less of a preview. */
  shrink(): Promise<void>
}

/** The words that stand for a text are about as long: below that nothing is won. */
const SHORTEST = 1_000

/** `keep` writes the text elsewhere; without it the text stays as it is. */
export function shrinkingText(text: string, keep?: () => Promise<readonly string[]>): ShrinkingText {
  let shown = text
  let forms: readonly string[] | undefined
  const shorter = () => forms?.find(({ length }) => length < shown.length)
  return {
    shown: () => shown,
    logged: () => (shown === text ? undefined : forms?.at(-1)),
    canShrink: () => keep !== undefined && (forms ? shorter() !== undefined : text.length > SHORTEST),
    async shrink() {
      forms ??= (await keep?.()) ?? []
      shown = shorter() ?? shown
    },
  }
}

/**
 * Makes texts shorter until they fit together, the largest first; of equals the last, which nobody has seen yet.
 * Gives those that it changed. Where all are as short as they can be it ends, whether they fit or not.
 */
export async function fitTexts<Item extends HasText>(
  items: readonly Item[],
  limit: number,
  mayChange: (item: Item) => boolean = () => true,
): Promise<readonly Item[]> {
  const changed = new Set<Item>()
  while (totalOf(items) > limit) {
    const largest = largestOf(items.filter((item) => mayChange(item) && item.text.canShrink()))
    if (!largest) break
    await largest.text.shrink()
    changed.add(largest)
  }
  return [...changed]
}

interface HasText {
  readonly text: ShrinkingText
}

function totalOf(items: readonly HasText[]): number {
  return items.reduce((sum, { text }) => sum + text.shown().length, 0)
}

function largestOf<Item extends HasText>(items: readonly Item[]): Item | undefined {
  return items.reduce<Item | undefined>(
    (best, item) => (best && best.text.shown().length > item.text.shown().length ? best : item),
    undefined,
  )
}

interface KeepOptions {
  readonly store: Pick<SessionStore, 'put'>
  /** The name of the blob, without an extension. */
  readonly name: string
  readonly preview: number
  /** Bytes to leave where nothing can be kept. */
  readonly cutTo: number
  readonly readTool: string | undefined
}

/**
 * Writes a text to a blob. Gives what can stand for it: the longest form first, the shortest for the log. Never rejects:
 * where nothing can be written, the text is cut.
 */
export async function keepText(text: string, options: KeepOptions): Promise<readonly string[]> {
  const { store, name, preview, cutTo, readTool } = options
  try {
    const { blob, path } = await store.put(`${name}.${isJson(text) ? 'json' : 'txt'}`, text)
    const place = { blob, ...(path !== undefined && { path: resolve(path) }), ...(readTool && { readTool }) }
    return [preview, 0].map((bytes) => persistedOutput(text, place, bytes))
  } catch (error) {
    const rooms = [cutTo, preview, 0].filter((bytes, index, all) => index === 0 || bytes < (all[index - 1] as number))
    return rooms.map((bytes) => cutOutput(text, reasonOf(error), bytes))
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

/** The same content with one text in the place of all its texts. */
export function withText(content: readonly Block[], text: string): readonly Block[] {
  const first = content.findIndex(({ type }) => type === 'text')
  return content.flatMap((block, index) => {
    if (block.type !== 'text') return [block]
    return index === first ? [{ type: 'text', text }] : []
  })
}
