import type { FetchedPage } from './framed-page.js'
import { type OpenPage, openPage } from './open-page.js'
import { pageText } from './page-text.js'
import { readBody } from './read-body.js'
import type { Bounds } from './web-options.js'

// Above any page that is written to be read, and below what would choke the store.
const MAX_CHARS = 1_000_000

export interface FetchLimits extends Bounds {
  readonly timeout: number
  readonly maxBytes: number
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
