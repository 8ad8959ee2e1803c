import { type Block, isNacreError, type SessionStore } from '@nacre/core'

/** A text of the log that stands for a longer one in a blob of the session. */
export interface StoredText {
  readonly blob: string
  /** Where a file tool reads it. */
  readonly path?: string
}

const FRAME = /^<persisted-output>\n/
const NAMES = [/ with name ("(?:[^"\\\n]|\\.)*")/, /^The whole is kept with the session as (\S+),/m]
const PATH = /^The whole is in the file (.+)$/m
const SAFE = /^\w[\w.-]{0,200}$/
/** More of one blob is not read at once. */
const BYTES = 8_000_000

/**
 * The blob that a block names in place of its text. Tool output may claim anything, so a result only has the blob
 * that bears the name of its own call, and words of a person only one of pasted text.
 */
export function storedText(block: Block): StoredText | undefined {
  const text = onlyText(block)
  if (text === undefined || !FRAME.test(text)) return undefined
  const path = PATH.exec(text)?.[1]
  const blob = nameIn(text) ?? path?.split(/[\\/]/).at(-1)
  if (blob === undefined || !SAFE.test(blob)) return undefined
  const owner =
    block.type === 'tool_result' ? String(block.tool_use_id).replace(/[^A-Za-z0-9._-]+/g, '-') : 'pasted-text'
  if (owner === '' || !blob.includes(owner)) return undefined
  return { blob, ...(path !== undefined && { path }) }
}

/** The text of a blob, or `undefined` where the session does not have it. */
export async function readStored(store: Pick<SessionStore, 'get'>, { blob }: StoredText): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of store.get(blob, { start: 0, end: BYTES })) text += decoder.decode(chunk, { stream: true })
  } catch (error) {
    if (isNacreError(error, 'NOT_FOUND')) return undefined
    throw error
  }
  return text + decoder.decode()
}

function nameIn(text: string): string | undefined {
  const [quoted, plain] = NAMES.map((pattern) => pattern.exec(text)?.[1])
  return quoted === undefined ? plain : unquoted(quoted)
}

/** What only looks like a quoted name is none. */
function unquoted(text: string): string | undefined {
  try {
    return String(JSON.parse(text))
  } catch {
    return undefined
  }
}

function onlyText({ type, text, content }: Block): string | undefined {
  if (type === 'text') return String(text)
  if (type !== 'tool_result') return undefined
  if (typeof content === 'string') return content
  const texts = Array.isArray(content) ? (content as readonly Block[]).filter((block) => block.type === 'text') : []
  return texts.length === 1 ? String(texts[0]?.text) : undefined
}
