import { NacreError } from '@nacre/core'
import { fetch, type Response } from 'undici'

/** A search engine behind HTTP. Throws messages for the model, and when the signal aborts. */
export interface WebSearchProvider {
  readonly name: string
  search(query: string, signal: AbortSignal): Promise<readonly FoundPage[]>
}

/** As a search engine tells of a page: all of it was written by strangers. */
export interface FoundPage {
  readonly url: string
  readonly title: string
  readonly snippet: string
  /** In the engine's words, such as `2 days ago`. */
  readonly age?: string
}

export interface ProviderOptions {
  /** Where the engine is asked. A private address is as good as any: the user has named it. */
  readonly endpoint?: string
  readonly key?: string
  /** Milliseconds for one search. 20,000 unless told. */
  readonly timeout?: number
  /** Bytes of an answer. 2 MB unless told. */
  readonly maxBytes?: number
}

const BRAVE = 'https://api.search.brave.com/res/v1/web/search'

/** The search API of Brave, or one that speaks like it. It wants a key. */
export function braveSearch(options: ProviderOptions): WebSearchProvider {
  const { endpoint = BRAVE, key } = options
  if (!key?.trim())
    throw settingsError('Brave wants a key: set webSearch.key, or name its variable in webSearch.keyVariable.')
  const place = endpointOf(endpoint)
  return {
    name: 'brave',
    async search(query, signal) {
      const url = new URL(place)
      url.searchParams.set('q', query)
      const answer = await askEngine(url, { 'x-subscription-token': key }, options, signal)
      return pagesIn(at(answer, 'web', 'results'), { snippet: 'description', age: 'age' }, url)
    },
  }
}

/** A SearXNG server. It has to give JSON: `search.formats` of its settings. */
export function searxngSearch(options: ProviderOptions): WebSearchProvider {
  const { endpoint, key } = options
  if (!endpoint?.trim())
    throw settingsError('SearXNG has no address of its own: set webSearch.endpoint, such as "http://localhost:8888".')
  const place = endpointOf(endpoint)
  return {
    name: 'searxng',
    async search(query, signal) {
      const url = new URL(place)
      if (!url.pathname.endsWith('/search')) url.pathname = `${url.pathname.replace(/\/$/, '')}/search`
      url.searchParams.set('q', query)
      url.searchParams.set('format', 'json')
      const answer = await askEngine(url, key ? { authorization: `Bearer ${key}` } : {}, options, signal)
      return pagesIn(at(answer, 'results'), { snippet: 'content', age: 'publishedDate' }, url)
    },
  }
}

function endpointOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  throw settingsError(
    `webSearch.endpoint is ${JSON.stringify(text)}; it has to be a URL, such as "https://search.example.com".`,
  )
}

function settingsError(message: string): NacreError {
  return new NacreError('INVALID_SETTINGS', message)
}

const TIMEOUT = 20_000
const MAX_BYTES = 2 * 1024 * 1024
const MAX_REDIRECTS = 3

/** What the engine says, read as JSON. The key goes to the origin that was named, and nowhere else. */
async function askEngine(
  start: URL,
  headers: Readonly<Record<string, string>>,
  { timeout = TIMEOUT, maxBytes = MAX_BYTES }: ProviderOptions,
  signal: AbortSignal,
): Promise<unknown> {
  const late = AbortSignal.timeout(timeout)
  const both = AbortSignal.any([signal, late])
  try {
    let url = start
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await fetch(url, {
        headers: { accept: 'application/json', ...headers },
        redirect: 'manual',
        signal: both,
      })
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || location === null)
        return await read(response, url, maxBytes)
      await response.body?.cancel()
      const next = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined
      if (next?.origin !== start.origin)
        throw new Error(`${start.origin} sends elsewhere. Set webSearch.endpoint to where the search engine is now.`)
      url = next
    }
    throw new Error(`${start.origin} redirects more than ${MAX_REDIRECTS} times.`)
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted)
      throw new Error(`${start.origin} did not answer within ${timeout / 1_000} seconds. Search again later.`)
    const { cause, message } = error as Error
    if (message !== 'fetch failed' && message !== 'terminated') throw error
    throw new Error(
      `${start.origin} could not be reached: ${(cause as Error | undefined)?.message || 'no reason was given'}.`,
    )
  }
}

async function read(response: Response, { origin }: URL, maxBytes: number): Promise<unknown> {
  const problem = problemOf(response, origin)
  if (problem !== undefined) {
    await response.body?.cancel()
    throw new Error(problem)
  }
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    pieces.push(piece)
    size += piece.byteLength
    if (size > maxBytes) throw new Error(`${origin} answered with more than ${maxBytes} bytes. Search for less.`)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString())
  } catch {
    throw new Error(`${origin} did not answer in JSON. Is webSearch.endpoint a search API, with JSON switched on?`)
  }
}

function problemOf({ status, headers }: Response, origin: string): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status === 401) return `${origin} does not take the key (401). The user has to set webSearch.key.`
  if (status === 403)
    return `${origin} refuses the search (403): the key may not search, or JSON is switched off there.`
  if (status === 429) {
    const after = Number(headers.get('retry-after'))
    const wait = after > 0 && after <= 86_400 ? ` It asks to wait for ${after} seconds.` : ''
    return `${origin} has been asked too often (429).${wait} Search again later, or go on without.`
  }
  return `${origin} could not search (${status}).${status >= 500 ? ' Search again later, or go on without.' : ''}`
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, name) => (found as Record<string, unknown> | null | undefined)?.[name], value)
}

/** The pages of an answer; what has no address of the web is left out. An engine that found nothing may leave out the list. */
function pagesIn(
  list: unknown,
  names: { readonly snippet: string; readonly age: string },
  { origin }: URL,
): FoundPage[] {
  if (list === undefined || list === null) return []
  if (!Array.isArray(list))
    throw new Error(`${origin} answered in a form that is not known. Is webSearch.provider the right one?`)
  return list.flatMap((each: unknown) => {
    const text = (name: string) => {
      const value = at(each, name)
      return typeof value === 'string' ? value : ''
    }
    const url = text('url')
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return []
    const age = text(names.age)
    return [{ url, title: text('title'), snippet: text(names.snippet), ...(age !== '' && { age }) }]
  })
}
