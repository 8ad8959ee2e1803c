import { ApiError, invalid } from '../api-error.js'
import { markersOf, placeAutomaticMarker } from '../cache/markers.js'
import type { FindModel } from '../models/find-model.js'
import type { ModelSpec } from '../models/model-spec.js'
import { type DigestOf, rememberDigests } from '../prompt/digest.js'
import { type BindingDefault, type CheckedThinking, checkThinking } from '../thinking/check-thinking.js'
import { type PrefixChain, prefixChain, unboundChain } from '../thinking/prefix-chain.js'
import type { Seals } from '../thinking/thought.js'
import type { MessagesBody, Tool } from '../wire.js'
import { checkCacheEdits } from './check-cache-edits.js'
import { checkCompactionBlocks, checkCompactionRequest } from './check-compaction.js'
import { checkContent } from './check-content.js'
import { checkContextManagement } from './check-context-management.js'
import { checkMarkers } from './check-markers.js'
import { checkMedia } from './check-media.js'
import { checkPairs } from './check-pairs.js'
import { checkRoles } from './check-roles.js'
import {
  checkEffort,
  checkMaxTokens,
  checkSpeed,
  checkThinkingSettings,
  checkToolChoice,
  checkTools,
} from './check-settings.js'
import type { Dialect } from './request-shape.js'
import { toolsAtEnd } from './tool-changes.js'
import { conversationOf, type Part, partsOf } from './turns.js'

export interface Account {
  readonly organization: string
  readonly workspace: string
  /** `enforced` is how accounts made since 2026-08-31 behave. */
  readonly thinkingBinding: BindingDefault
}

export interface CheckContext {
  readonly dialect: Dialect
  readonly account: Account
  readonly find: FindModel
  readonly seals: Seals
}

/** A request that the API would take, but for its length. */
export interface CheckedRequest {
  readonly body: MessagesBody
  readonly spec: ModelSpec
  readonly betas: ReadonlySet<string>
  readonly account: Account
  readonly parts: readonly Part[]
  /** The types of block among them. */
  readonly kinds: ReadonlySet<string>
  readonly tools: readonly Tool[]
  readonly thinking: CheckedThinking
  /** Stands at the end of the request: blocks of the answer are added to it. */
  readonly chain: PrefixChain
  readonly digestOf: DigestOf
  readonly hasMarkers: boolean
}

/** Applies the rules in the order of the check list: the first one broken is the answer. */
export function checkRequest(raw: MessagesBody, { dialect, account, find, seals }: CheckContext): CheckedRequest {
  const { betas, version, endpoint } = dialect
  const spec = find(raw.model)
  if (!spec) throw new ApiError(404, 'not_found_error', `model: ${raw.model}`)
  if (raw.thread != null) throw threadsUnsupported()
  if (endpoint === 'messages') checkMaxTokens(raw, spec)
  checkThinkingSettings(raw, spec, endpoint)
  checkEffort(raw, spec)
  checkToolChoice(raw, spec)
  checkSpeed(raw, betas)
  checkTools(raw.tools)
  checkContextManagement(raw)

  const conversation = conversationOf(raw.messages)
  const { turns, parts, kinds } = conversation
  // Counting never summarises, so it does not ask whether it could.
  if (endpoint === 'messages') checkCompactionRequest(raw, turns, spec)
  checkRoles(turns, raw, spec)
  checkContent(raw.messages, raw.system, version)
  checkPairs(conversation)
  checkMedia(conversation, spec)
  const tools = toolsAtEnd(raw, conversation, betas)
  checkCacheEdits(conversation)
  const digestOf = rememberDigests()
  const chain = spec.thinking.bound ? prefixChain(raw, seals, digestOf) : unboundChain()
  const thinking = checkThinking({
    body: raw,
    conversation,
    spec,
    find,
    betas,
    organization: account.organization,
    bindingDefault: account.thinkingBinding,
    seals,
    chain,
  })
  const body = placeAutomaticMarker(raw)
  const markers = markersOf(body)
  checkMarkers(markers)
  checkCompactionBlocks(conversation, betas, seals)
  return {
    body,
    spec,
    betas,
    account,
    parts: body === raw ? parts : partsOf(body.messages),
    kinds,
    tools,
    thinking,
    chain,
    digestOf,
    hasMarkers: markers.length > 0,
  }
}

function threadsUnsupported(): ApiError {
  return invalid('thread: message threads are not simulated by this server; send the whole conversation instead', {
    code: 'thread_unsupported_request',
    details: { unsupported: ['thinking'] },
  })
}
