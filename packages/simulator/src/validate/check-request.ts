import { type DigestOf, rememberDigests } from '../measure/digest.js'
import type { ModelSpec } from '../models/model-spec.js'
import type { FindModel } from '../models/model-table.js'
import {
  type BindingDefault,
  type CheckedThinking,
  checkThinking,
  type PrefixChain,
  prefixChain,
} from '../thinking/check-thinking.js'
import type { Seals } from '../thinking/signatures.js'
import { ApiError, invalid } from '../wire/api-error.js'
import { conversationOf, type MessagesBody, type Part, type Tool } from '../wire/messages.js'
import { checkCacheEdits, placeMarkers } from './check-cache.js'
import { checkCompactionBlocks, checkCompactionRequest, checkContextManagement } from './check-compaction.js'
import { checkMessages } from './check-messages.js'
import { checkSearchResults } from './check-search.js'
import { checkSettings, toolsAtEnd } from './check-settings.js'
import type { Dialect } from './read-request.js'

export interface Account {
  readonly organization: string
  readonly workspace: string
  /** `enforced` is how accounts made since 2026-08-31 behave. */
  readonly thinkingBinding: BindingDefault
}

interface CheckContext {
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
  const { betas, endpoint } = dialect
  const spec = find(raw.model)
  if (!spec) throw new ApiError(404, 'not_found_error', `model: ${raw.model}`)
  if (raw.thread != null) throw threadsUnsupported()
  checkSettings(raw, spec, dialect)
  checkContextManagement(raw)

  const conversation = conversationOf(raw.messages)
  const { turns, parts, kinds } = conversation
  // Counting never summarises, so it does not ask whether it could.
  if (endpoint === 'messages') checkCompactionRequest(raw, turns, spec)
  checkMessages(conversation, raw, spec, dialect)
  checkSearchResults(conversation, seals)
  const tools = toolsAtEnd(raw, conversation, betas)
  checkCacheEdits(conversation)
  const digestOf = rememberDigests()
  const chain = prefixChain(raw, spec, seals, digestOf)
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
  const { body, hasMarkers } = placeMarkers(raw)
  checkCompactionBlocks(conversation, betas, seals)
  return {
    body,
    spec,
    betas,
    account,
    parts: body === raw ? parts : conversationOf(body.messages).parts,
    kinds,
    tools,
    thinking,
    chain,
    digestOf,
    hasMarkers,
  }
}

function threadsUnsupported(): ApiError {
  return invalid('thread: message threads are not simulated by this server; send the whole conversation instead', {
    code: 'thread_unsupported_request',
    details: { unsupported: ['thinking'] },
  })
}
