import { digest } from '../measure/digest.js'
import type { CheckedRequest } from '../validate/check-request.js'
import { type Json, loadedTools, type Ttl } from '../wire/messages.js'
import type { Position, Prompt } from './read-prompt.js'

const LIFETIME: Readonly<Record<Ttl, number>> = { '5m': 5 * 60_000, '1h': 60 * 60_000 }
const LOOKBACK = 20

/** Input tokens by price class. Together they are the whole prompt. */
export interface InputUsage {
  readonly read: number
  readonly write5m: number
  readonly write1h: number
  readonly input: number
}

export interface CachePlan extends InputUsage {
  /** Called when the response begins: only then are the entries there for others. */
  commit(): void
}

export interface PromptCache {
  /** Says what a request reads and writes. `now` is when it began. */
  plan(positions: readonly Position[], total: number, minimum: number, now: number): CachePlan
  size(): number
}

interface PromptCacheOptions {
  /** Whether a read keeps every marked position alive or only the one that was hit. */
  readonly refresh: 'marked' | 'hit'
}

/** The prompt cache by the documented rules: entries at markers only, a short look back, two lifetimes. */
export function promptCache({ refresh }: PromptCacheOptions): PromptCache {
  const entries: Readonly<Record<Ttl, Map<string, number>>> = { '5m': new Map(), '1h': new Map() }

  const find = (chain: string, now: number): Ttl | undefined => {
    if ((entries['1h'].get(chain) ?? 0) > now) return '1h'
    return (entries['5m'].get(chain) ?? 0) > now ? '5m' : undefined
  }
  // Deleting first keeps each map in order of expiry, so that old entries are all at its front. A request that began
  // earlier but is answered later must not take away what a later one gave.
  const store = (chain: string, ttl: Ttl, now: number) => {
    const expires = Math.max(now + LIFETIME[ttl], entries[ttl].get(chain) ?? 0)
    entries[ttl].delete(chain)
    entries[ttl].set(chain, expires)
  }
  const sweep = (map: Map<string, number>, now: number) => {
    for (const [chain, expires] of map) {
      if (expires > now) break
      map.delete(chain)
    }
  }

  return {
    plan(positions, total, minimum, now) {
      const marked = markedPositions(positions)
      const hit = findHit(positions, marked, (chain) => find(chain, now) !== undefined)
      const { read, afterLong, afterAll } = split(positions, marked, hit, minimum)
      const chainRead = hit === undefined ? undefined : (positions[hit] as Position).chain
      const lifetime = chainRead === undefined ? undefined : find(chainRead, now)
      return {
        read,
        write1h: afterLong - read,
        write5m: afterAll - afterLong,
        input: total - afterAll,
        commit() {
          sweep(entries['5m'], now)
          sweep(entries['1h'], now)
          if (chainRead !== undefined && lifetime) store(chainRead, lifetime, now)
          for (const index of marked) {
            const { chain, tokens, ttl } = positions[index] as Position
            const live = find(chain, now)
            if (live && refresh === 'marked') store(chain, live, now)
            else if (!live && tokens >= minimum) store(chain, ttl ?? '5m', now)
          }
        },
      }
    },
    size: () => entries['5m'].size + entries['1h'].size,
  }
}

function markedPositions(positions: readonly Position[]): number[] {
  const marked: number[] = []
  for (let index = 0; index < positions.length; index++) if (positions[index]?.ttl) marked.push(index)
  return marked
}

/** From each marker, last one first: that position, then back, twenty positions in all. */
function findHit(
  positions: readonly Position[],
  marked: readonly number[],
  isLive: (chain: string) => boolean,
): number | undefined {
  for (let at = marked.length - 1; at >= 0; at--) {
    const marker = marked[at] as number
    const end = Math.max(0, marker - LOOKBACK + 1)
    for (let index = marker; index >= end; index--) {
      if (isLive((positions[index] as Position).chain)) return index
    }
  }
  return undefined
}

/** The tokens that are read, and those up to the last marker that is written for an hour, and up to the last of all. */
function split(positions: readonly Position[], marked: readonly number[], hit: number | undefined, minimum: number) {
  const read = hit === undefined ? 0 : (positions[hit] as Position).tokens
  let afterLong = read
  let afterAll = read
  for (const index of marked) {
    const { tokens, ttl } = positions[index] as Position
    if (tokens < minimum || (hit !== undefined && index <= hit)) continue
    if (ttl === '1h') afterLong = tokens
    afterAll = tokens
  }
  return { read, afterLong, afterAll }
}

/** Requests that are remembered, and blocks of all of them together: long conversations take the place of many short ones. */
const KEPT = 200
const KEPT_BLOCKS = 200_000

/** What is remembered of a request so that a later one can be compared with it. */
interface Fingerprint {
  readonly owner: string
  readonly model: string
  readonly tools: string
  readonly system: string
  readonly settings: string
  readonly chains: readonly string[]
  readonly tokens: readonly number[]
  readonly total: number
}

/** Tells why the cache could not be used, by comparing a request with the one before it. */
export interface Fingerprints {
  remember(messageId: string, request: CheckedRequest, prompt: Prompt): void
  /** `undefined` when the request did not ask. */
  diagnose(request: CheckedRequest, prompt: Prompt): Json | undefined
}

export function createFingerprints(): Fingerprints {
  const known = new Map<string, Fingerprint>()
  let blocks = 0
  return {
    remember(messageId, request, prompt) {
      if (!request.body.diagnostics) return
      known.set(messageId, takeFingerprint(request, prompt))
      blocks += prompt.positions.length
      for (const [oldest, { chains }] of known) {
        if (known.size <= KEPT && (blocks <= KEPT_BLOCKS || known.size === 1)) break
        known.delete(oldest)
        blocks -= chains.length
      }
    },
    diagnose(request, prompt) {
      const previousId = request.body.diagnostics?.previous_message_id
      if (request.body.diagnostics == null) return undefined
      if (previousId == null) return null
      const previous = known.get(previousId)
      const current = takeFingerprint(request, prompt)
      if (previous?.owner !== current.owner) return { cache_miss_reason: { type: 'previous_message_not_found' } }
      return compare(previous, current)
    },
  }
}

function takeFingerprint(request: CheckedRequest, { positions, tokens }: Prompt): Fingerprint {
  const { body, betas, spec, account, digestOf } = request
  const { tool_choice, thinking, context_management, output_config } = body
  return {
    owner: `${account.organization}\0${account.workspace}`,
    model: `${spec.id}\0${body.speed ?? 'standard'}`,
    tools: digest(loadedTools(body.tools).map(digestOf).join()),
    system: digest(body.system.map(digestOf).join()),
    settings: JSON.stringify([tool_choice, thinking, context_management, output_config, [...betas].sort()]),
    chains: positions.map((position) => position.chain),
    tokens: positions.map((position) => position.tokens),
    total: tokens,
  }
}

/** The earliest divergence, and the tokens of the earlier prompt that lie behind it. */
function compare(before: Fingerprint, after: Fingerprint): Json {
  const missed = (type: string, tokens: number): Json => ({
    cache_miss_reason: { type, cache_missed_input_tokens: tokens },
  })
  if (before.model !== after.model) return missed('model_changed', before.total)
  const change =
    before.tools !== after.tools
      ? 'tools_changed'
      : before.system !== after.system
        ? 'system_changed'
        : 'messages_changed'
  if (change === 'messages_changed' && before.settings !== after.settings) {
    return { cache_miss_reason: { type: 'unavailable' } }
  }
  const first = before.chains.findIndex((chain, index) => chain !== after.chains[index])
  if (first === -1) return null
  return missed(change, before.total - (before.tokens[first - 1] ?? 0))
}
