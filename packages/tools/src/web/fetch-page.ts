import { isIPv6 } from 'node:net'
import iconv from 'iconv-lite'
import { Agent, fetch, type Response } from 'undici'
import { pdfPages } from '../pdf.js'
import { htmlToMarkdown, type PageText } from './html-to-markdown.js'
import { type Bounds, judgePlace } from './judge-place.js'

// Above any page that is written to be read, and below what would choke the store.
const MAX_CHARS = 1_000_000

export interface FetchLimits extends Bounds {
  readonly timeout: number
  readonly maxBytes: number
}

export interface FetchedPage {
  readonly url: string
  readonly status: number
  readonly title: string
  readonly text: string
  /** Says what was left out. */
  readonly cut?: string
}

type Elsewhere = Extract<OpenPage, { kind: 'elsewhere' }>

/** Fetches one page, or says to which other host it sends. Throws messages for the model, and when the signal aborts. */
export async function fetchPage(url: URL, limits: FetchLimits, signal: AbortSignal): Promise<FetchedPage | Elsewhere> {
  const late = AbortSignal.timeout(limits.timeout)
  try {
    const opened = await openPage(url, limits, AbortSignal.any([signal, late]))
    return opened.kind === 'elsewhere' ? opened : await readPage(opened, limits)
  } catch (error) {
    signal.throwIfAborted()
    if (!late.aborted) throw error
    throw new Error(`${url.href} did not answer in full within ${limits.timeout / 1000} seconds.`)
  }
}

async function readPage(opened: Extract<OpenPage, { kind: 'page' }>, limits: FetchLimits): Promise<FetchedPage> {
  const { response, url } = opened
  try {
    const { bytes, isCut } = await readBody(response, limits.maxBytes).catch((error: Error) => {
      throw new Error(`${url.href} broke off: ${(error.cause as Error | undefined)?.message ?? error.message}.`)
    })
    const { title, text } = await pageText(bytes, response.headers.get('content-type') ?? '', url)
    const cut = isCut
      ? `Cut after ${limits.maxBytes} bytes: the page is longer.`
      : text.length > MAX_CHARS
        ? `Cut after ${MAX_CHARS} of ${text.length} characters.`
        : undefined
    return {
      url: url.href,
      status: response.status,
      title,
      text: text.slice(0, MAX_CHARS),
      ...(cut !== undefined && { cut }),
    }
  } finally {
    await opened.close()
  }
}

const MAX_REDIRECTS = 10

const HEADERS = {
  accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.9, */*;q=0.1',
  'user-agent': 'nacre-web-fetch',
}

/** A page that has begun to come, or another host to which it sends. */
type OpenPage =
  | { readonly kind: 'page'; readonly url: URL; readonly response: Response; close(): Promise<void> }
  | { readonly kind: 'elsewhere'; readonly url: URL; readonly from: URL; readonly status: number }

/** Asks for a page and follows redirects on the same host. Each is judged anew, and other hosts are only reported. */
async function openPage(start: URL, bounds: Bounds, signal: AbortSignal): Promise<OpenPage> {
  let url = start
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const { response, close } = await ask(url, await judgePlace(url, bounds, signal), signal)
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
    if (location === null) return { kind: 'page', url, response, close }
    await close()
    // Not shown: it may be words for the model.
    if (!URL.canParse(location, url.href)) throw new Error(`${url.href} redirects to what is no URL.`)
    const next = parseAddress(location, url)
    if (!isSameHost(next, url)) {
      await judgePlace(next, bounds, signal)
      return { kind: 'elsewhere', url: next, from: url, status: response.status }
    }
    url = next
  }
  throw new Error(`${start.href} redirects more than ${MAX_REDIRECTS} times.`)
}

async function ask(
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<{ response: Response; close(): Promise<void> }> {
  const dispatcher = new Agent({ connect: { lookup: lookupOf(addresses) }, pipelining: 0 })
  const close = () => dispatcher.destroy()
  try {
    return { response: await fetch(url, { dispatcher, signal, headers: HEADERS, redirect: 'manual' }), close }
  } catch (error) {
    await close()
    signal.throwIfAborted()
    throw new Error(`${url.href} could not be fetched: ${causeOf(error)}.`)
  }
}

interface LookupOptions {
  readonly all?: boolean | undefined
}

type LookupCallback = (error: null, address: string | { address: string; family: number }[], family?: number) => void

/** Answers with the addresses that were judged, whatever the name may lead to by now. */
function lookupOf(addresses: readonly string[]) {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_host: string, { all }: LookupOptions, callback: LookupCallback): void => {
    if (all) callback(null, found)
    else callback(null, found[0]?.address ?? '', found[0]?.family)
  }
}

/** A host and its www. count as one: the permission was given for a domain. */
function isSameHost(one: URL, other: URL): boolean {
  const bare = ({ hostname }: URL) => hostname.replace(/^www\./, '')
  return bare(one) === bare(other)
}

function causeOf(error: unknown): string {
  const { cause, message } = error as Error
  const { errors } = (cause ?? {}) as AggregateError
  const root = errors?.[0] ?? cause
  return root instanceof Error && root.message !== '' ? root.message : message
}

/** The URL that a call asks for. Throws, with a message for the model, when it is none that may be fetched. */
export function parseAddress(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined
  if (!url) throw new Error(`${text} is not a URL. Give one with its protocol, such as https://example.com/page.`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`${url.protocol} is not fetched, only http: and https: are.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('The URL has a user name or a password in it. Leave them out: no credentials are sent.')
  }
  url.hash = ''
  return url
}

/** The bytes of an answer, unpacked, up to a limit: what comes after is not waited for, however much it would unpack to. */
async function readBody(
  response: Response,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    pieces.push(piece)
    size += piece.byteLength
    if (size > maxBytes) break
  }
  return { bytes: Buffer.concat(pieces).subarray(0, maxBytes), isCut: size > maxBytes }
}

const TEXT =
  /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|javascript|ecmascript|typescript|yaml|x-yaml|toml|x-sh|x-ndjson|sql|graphql|rtf|x-httpd-php|json5|jsonl|ld\+json)$)/

/** What a page says, as Markdown or as it is. Throws, with a message for the model, for what is no text. */
async function pageText(bytes: Buffer, contentType: string, url: URL): Promise<PageText> {
  const type = typeOf(bytes, contentType)
  if (type === 'text/html' || type === 'application/xhtml+xml') {
    return htmlToMarkdown(decodePage(bytes, contentType, true), url)
  }
  if (type === 'application/pdf') return { title: '', text: await pdfText(bytes, url) }
  if (TEXT.test(type)) return { title: '', text: decodePage(bytes, contentType, /xml$/.test(type)) }
  // What a server writes there may be words for the model.
  const named = /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(type) ? `of the type ${type}` : 'of no known type'
  throw new Error(`${url.href} is ${named}, which is no text and is not fetched.`)
}

function typeOf(bytes: Buffer, contentType: string): string {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) return 'application/pdf'
  if (type !== '' && type !== 'application/octet-stream') return type
  if (bytes.includes(0)) return 'application/octet-stream'
  return /^\s*<(?:!doctype html|html)/i.test(bytes.toString('latin1', 0, 1_024)) ? 'text/html' : 'text/plain'
}

async function pdfText(bytes: Buffer, url: URL): Promise<string> {
  const pages = await pdfPages(url.href, bytes)
  return pages
    .map((page, index) => `--- page ${index + 1} of ${pages.length} ---\n${page.trim() || '(no text)'}`)
    .join('\n\n')
}

const MARKED = 4_096

/** The text of a page: by its byte order mark, by the header, by what an HTML or XML page says of itself, else UTF-8. */
function decodePage(bytes: Buffer, contentType: string, isMarkup: boolean): string {
  const charset = markedBy(bytes) ?? charsetIn(contentType) ?? (isMarkup ? ownName(bytes) : undefined) ?? 'utf-8'
  return iconv.decode(bytes, charset)
}

/** A page whose name for its encoding can be read byte by byte is in none of two bytes. */
function ownName(bytes: Buffer): string | undefined {
  const charset = charsetIn(bytes.toString('latin1', 0, MARKED))
  return charset && /^(?:utf-?16|utf-?32|ucs)/i.test(charset) ? undefined : charset
}

function markedBy(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

function charsetIn(text: string): string | undefined {
  const charset = /(?:charset|<\?xml[^>]*encoding)\s*=\s*["']?\s*([\w.:-]+)/i.exec(text)?.[1]
  return charset !== undefined && iconv.encodingExists(charset) ? charset : undefined
}
