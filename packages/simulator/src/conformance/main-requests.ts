import type { StagedRequest } from './act.js'

/** Those of the conversation itself, without what is asked or counted beside it. */
export function mainRequests(requests: readonly StagedRequest[]): readonly StagedRequest[] {
  return requests.filter(({ source, path }) => source === 'main' && /^\/v1\/messages(\?|$)/.test(path))
}
