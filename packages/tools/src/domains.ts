/** The domains that a search keeps to: those allowed, or all but those blocked. One speaks of those below it too. */
export interface SearchDomains {
  /** All where there are none. */
  readonly allowed?: readonly string[] | undefined
  readonly blocked: readonly string[]
}

/** Whether a host or a URL is in a domain. */
export function isInDomain(place: string, domain: string): boolean {
  const host = URL.canParse(place) ? new URL(place).hostname : place
  const [one, other] = [host, domain].map((name) => name.toLowerCase().replace(/^\*\./, '').replace(/\.$/, ''))
  return one === other || one?.endsWith(`.${other}`) === true
}

export function isWanted(url: string, { allowed, blocked }: SearchDomains): boolean {
  if (blocked.some((domain) => isInDomain(url, domain))) return false
  return allowed === undefined || allowed.some((domain) => isInDomain(url, domain))
}

/** What holds where both hold. */
export function bothDomains(one: SearchDomains, other: SearchDomains): SearchDomains {
  const blocked = [...new Set([...one.blocked, ...other.blocked])]
  if (!one.allowed || !other.allowed) return { allowed: one.allowed ?? other.allowed, blocked }
  const within = (inner: readonly string[], outer: readonly string[]) =>
    inner.filter((domain) => outer.some((each) => isInDomain(domain, each)))
  return {
    allowed: [...new Set([...within(one.allowed, other.allowed), ...within(other.allowed, one.allowed)])],
    blocked,
  }
}

/**
 * The same as one list, which is all that servers take. Of an allowed domain with a blocked one below it nothing can be
 * said in one list, so it is left out. Without a domain that is left there is no way to say it.
 */
export function asOneList({ allowed, blocked }: SearchDomains): Pick<SearchDomains, 'allowed' | 'blocked'> | undefined {
  if (!allowed) return { blocked }
  const left = allowed.filter((domain) => !blocked.some((each) => isInDomain(domain, each) || isInDomain(each, domain)))
  return left.length > 0 ? { allowed: left, blocked: [] } : undefined
}
