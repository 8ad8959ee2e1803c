import type { SearchDomains } from '../domains.js'
import { citeRule, type PermissionMode, type PermissionRule } from './permission-rule.js'

/** What rules say of searches that nobody here can be asked about. */
export type SearchRuling =
  | { readonly allows: true; readonly domains: SearchDomains }
  | { readonly allows: false; readonly reason: string; readonly domains: SearchDomains }

const TOOL = 'WebSearch'

/** Whether a server may search by itself: only where a question would have only one answer. What asks forbids here. */
export function judgeServerSearch(rules: readonly PermissionRule[], mode: PermissionMode): SearchRuling {
  const own = rules.filter(({ tool }) => tool === TOOL)
  const whole = (verdict: PermissionRule['verdict']) =>
    own.find((rule) => rule.verdict === verdict && rule.subject === undefined)
  const domains = (verdict: PermissionRule['verdict']) =>
    own.flatMap((rule) => (rule.verdict === verdict && rule.subject ? [searchDomain(rule.subject)] : []))
  const blocked = [...domains('deny'), ...(mode === 'bypass' ? [] : domains('ask'))]
  const refuse = (reason: string): SearchRuling => ({ allows: false, reason, domains: { blocked: domains('deny') } })
  const denied = whole('deny')
  if (denied) return refuse(`${citeRule(denied)} forbids searches.`)
  const asks = mode === 'bypass' ? undefined : whole('ask')
  if (asks) return refuse(`${citeRule(asks)} asks about each search, and nobody can be asked about one of the server.`)
  if (mode === 'bypass' || whole('allow')) return { allows: true, domains: { blocked } }
  const allowed = domains('allow')
  if (allowed.length > 0) return { allows: true, domains: { allowed, blocked } }
  return refuse(`Nobody can be asked about a search of the server: allow it by the rule ${TOOL}.`)
}

/** The domain that a rule such as `domain:example.com` names; for a search it speaks of those below it too. */
export function searchDomain(subject: string): string {
  return subject.replace(/^domain:(\*\.)?/, '').toLowerCase()
}
