import { once } from 'node:events'
import ipaddr from 'ipaddr.js'
import { bareHost } from './allowed-place.js'
import { isPublicAddress } from './is-public-address.js'
import type { Bounds } from './web-options.js'

/**
 * The addresses to connect to for a URL: each was judged, and no other must be used, since a name may lead elsewhere the
 * next time it is asked for. Throws, with a message for the model, when one of them is neither public nor allowed.
 */
export async function judgePlace(
  url: URL,
  { allowed, resolve }: Bounds,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const host = bareHost(url.hostname)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const addresses = ipaddr.isValid(host) ? [host] : await answers(host, resolve, signal)
  if (allowed.some((place) => place.allowsHost(url.hostname, port))) return addresses
  const refused = addresses.find((address) => {
    return !isPublicAddress(address) && !allowed.some((place) => place.allowsAddress(address, port))
  })
  if (refused === undefined) return addresses
  const leads = refused === host ? '' : ` It leads to ${refused}.`
  throw new Error(
    `${url.host} is not on the public internet, and is not fetched.${leads} The user can allow it by the option allow.`,
  )
}

async function answers(host: string, resolve: Bounds['resolve'], signal: AbortSignal): Promise<readonly string[]> {
  signal.throwIfAborted()
  const waited = new AbortController()
  const aborted = once(signal, 'abort', { signal: waited.signal }).then(() => signal.throwIfAborted())
  aborted.catch(() => undefined)
  const found = resolve(host).catch(() => [])
  const addresses = (await Promise.race([found, aborted]).finally(() => waited.abort())) ?? []
  const valid = addresses.filter((address) => ipaddr.isValid(address))
  if (valid.length === 0) throw new Error(`There is no host ${host}: its name could not be resolved.`)
  return valid
}
