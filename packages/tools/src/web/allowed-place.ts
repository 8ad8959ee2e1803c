import { NacreError } from '@nacre/core'
import ipaddr from 'ipaddr.js'

/** A place that may be fetched although it is not public. */
export interface AllowedPlace {
  allowsHost(host: string, port: number): boolean
  allowsAddress(address: string, port: number): boolean
}

/** Reads an entry such as `localhost:3000`, `10.0.0.0/8`, `192.168.1.5` or `[::1]:8080`. Throws when it is none. */
export function allowedPlace(entry: string): AllowedPlace {
  const text = entry.trim()
  return allowedRange(text) ?? allowedHost(text) ?? refuse(entry)
}

function allowedRange(text: string): AllowedPlace | undefined {
  if (!ipaddr.isValidCIDR(text)) return undefined
  const [base, bits] = ipaddr.parseCIDR(text)
  const isInside = (address: string) => {
    const parsed = ipaddr.process(address)
    return parsed.kind() === base.kind() && parsed.match(base, bits)
  }
  return { allowsHost: () => false, allowsAddress: isInside }
}

function allowedHost(text: string): AllowedPlace | undefined {
  // A bare address of IPv6 has colons of its own.
  const named = /^[0-9a-f]*:[0-9a-f:.]*$/i.test(text) && ipaddr.isValid(text) ? `[${text}]` : text
  if (!/^[^/\\@?#\s]+$/.test(named) || !URL.canParse(`http://${named}`)) return undefined
  const { hostname } = new URL(`http://${named}`)
  // The parser of URLs drops a port that is the usual one.
  const port = /:(\d+)$/.exec(named)?.[1]
  const isPort = (asked: number) => port === undefined || Number(port) === asked
  const address = bareHost(hostname)
  if (!ipaddr.isValid(address))
    return { allowsHost: (host, asked) => host === hostname && isPort(asked), allowsAddress: () => false }
  const plain = ipaddr.process(address).toString()
  return {
    allowsHost: () => false,
    allowsAddress: (other, asked) => ipaddr.process(other).toString() === plain && isPort(asked),
  }
}

/** A host without the brackets around an address of IPv6. */
export function bareHost(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}

function refuse(entry: string): never {
  throw new NacreError(
    'INVALID_SETTINGS',
    `web: ${JSON.stringify(entry)} in allow is no host, address or range. Write localhost:3000 or 10.0.0.0/8.`,
  )
}
