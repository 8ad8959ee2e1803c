import { isIPv6 } from 'node:net'
import { Agent, fetch, type Response } from 'undici'
import { judgePlace } from './judge-place.js'
import { parseAddress } from './parse-address.js'
import type { Bounds } from './web-options.js'

const MAX_REDIRECTS = 10

const HEADERS = {
  accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.9, */*;q=0.1',
  'user-agent': 'nacre-web-fetch',
}

/** A page that has begun to come, or another host to which it sends. */
export type OpenPage =
  | { readonly kind: 'page'; readonly url: URL; readonly response: Response; close(): Promise<void> }
  | { readonly kind: 'elsewhere'; readonly url: URL; readonly from: URL; readonly status: number }

/** Asks for a page and follows redirects on the same host. Each is judged anew, and other hosts are only reported. */
export async function openPage(start: URL, bounds: Bounds, signal: AbortSignal): Promise<OpenPage> {
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
