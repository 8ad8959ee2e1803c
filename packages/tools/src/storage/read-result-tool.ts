import { basename } from 'node:path'
import { isNacreError, type SessionStore } from '@nacre/core'
import { z } from 'zod'
import { defineTool, errorResult, type ShownTool } from '../define-tool.js'
import { countLines } from './preview.js'

/** The name under which the tool is called. */
export const READ_RESULT = 'ReadResult'

const OURS = /tool-results|pasted-text/
const BYTES = 20_000

const input = z.object({
  name: z.string().describe('The name or the path that stands in <persisted-output>.'),
  offset: z.number().int().min(1).default(1).describe('The first line, counted from 1.'),
  limit: z.number().int().min(1).default(2_000).describe('How many lines.'),
  search: z.string().min(1).optional().describe('Only lines that contain these words, each with its number.'),
  startByte: z.number().int().min(1).optional().describe('For a part of a long line: a byte, counted from 1.'),
})

/** Reads what was put away, for sessions whose blobs no file tool reaches. */
export function readResultTool(store: Pick<SessionStore, 'get'>): ShownTool<z.output<typeof input>> {
  return defineTool({
    name: READ_RESULT,
    description:
      'Reads an output that was too long to be shown whole, by the name in its <persisted-output>: lines from offset on, lines with words to search for, or bytes of a long line.',
    input,
    // What it reads is never put away again, so it limits itself.
    traits: { isReadOnly: true, isCompactable: true, maxResultChars: Number.POSITIVE_INFINITY },
    title: ({ name, offset }) => `Read ${name} from line ${offset}`,
    async run({ name, offset, limit, search, startByte }) {
      if (!OURS.test(name)) return unknown(name)
      try {
        if (startByte !== undefined) return await partOf(store, name, startByte)
        const text = (await bytesOf(store, name)).toString()
        return pieceOfText(text, { offset, limit, ...(search !== undefined && { search }) })
      } catch (error) {
        if (isNacreError(error, 'NOT_FOUND')) return unknown(name)
        throw error
      }
    },
  })
}

function unknown(name: string) {
  return errorResult(
    `Nothing is kept here under ${JSON.stringify(name)}. Give the name as it stands in <persisted-output>; what another session kept is read by its path.`,
  )
}

async function partOf(store: Pick<SessionStore, 'get'>, name: string, startByte: number): Promise<string> {
  const start = startByte - 1
  const bytes = await bytesOf(store, name, { start, end: start + BYTES })
  if (bytes.length === 0) return `There is nothing from byte ${startByte} on.`
  const isLast = bytes.length < BYTES
  const isContinued = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80
  let from = 0
  while (isContinued(bytes[from])) from += 1
  // A character that is cut at the end waits for the next part.
  const text = new TextDecoder().decode(bytes.subarray(from), { stream: !isLast })
  const end = startByte + from + Buffer.byteLength(text)
  const next = isLast ? 'these are the last' : `go on with startByte ${end}`
  return `${text}\n[bytes ${startByte + from}-${end - 1}; ${next}]`
}

async function bytesOf(
  store: Pick<SessionStore, 'get'>,
  name: string,
  range?: { readonly start: number; readonly end: number },
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const blob = name.startsWith('/') || name.includes('\\') ? basename(name) : name
  for await (const chunk of store.get(blob, range)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

interface Piece {
  readonly offset: number
  readonly limit: number
  readonly search?: string
}

/** As much as one look may bring in. */
const CHARACTERS = 40_000

/** Lines of a text, from one on, or those with some words in them; says what is left. */
function pieceOfText(text: string, { offset, limit, search }: Piece): string {
  const total = countLines(text)
  const lines = text.split('\n').slice(0, total)
  if (offset > total) return `There are ${total} lines only.`
  const found = lines.flatMap((line, index) =>
    isAsked(line, index, offset, search) ? [{ line, number: index + 1 }] : [],
  )
  const shown: string[] = []
  let used = 0
  for (const { line, number } of found.slice(0, limit)) {
    used += line.length + 1
    if (used > CHARACTERS) break
    shown.push(search === undefined ? line : `${number}: ${line}`)
  }
  return [...shown, note(found, shown.length, total, search)].join('\n')
}

function isAsked(line: string, index: number, offset: number, search: string | undefined): boolean {
  return index + 1 >= offset && (search === undefined || line.includes(search))
}

function note(
  found: readonly { readonly number: number }[],
  shown: number,
  total: number,
  search: string | undefined,
): string {
  const next = found[shown]?.number
  const what = search === undefined ? `of ${total} lines` : `of ${found.length} lines with these words`
  if (next === undefined) return `[${shown} ${what}; these are the last]`
  if (shown > 0) return `[${shown} ${what}; go on with offset ${next}]`
  return `[line ${next} is too long to be shown whole: read parts of it by startByte]`
}
