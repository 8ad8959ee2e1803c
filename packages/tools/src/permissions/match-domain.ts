import type { RuleVerdict } from './permission-rule.js'

/** Whether a rule such as `domain:example.com` speaks of an address. What forbids speaks of the hosts below it too. */
export function matchesDomain(subject: string, address: unknown, verdict: RuleVerdict): boolean {
  const host = hostOf(String(address))
  const domain = hostOf(`http://${subject.replace(/^domain:(\*\.)?/, '')}`)
  if (host === undefined || domain === undefined) return false
  const isBelow = host.endsWith(`.${domain}`)
  if (subject.startsWith('domain:*.')) return isBelow || (verdict !== 'allow' && host === domain)
  return host === domain || (verdict !== 'allow' && isBelow)
}

function hostOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' || protocol === 'https:' ? hostname.replace(/\.$/, '') : undefined
}
