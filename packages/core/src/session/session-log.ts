import type { View } from '../contract/view.js'
import { coreStateIn } from '../log/core-state.js'
import type { Change } from '../log/edit.js'
import type { Entry, NoticeEntry } from '../log/entry.js'
import type { Composition } from '../prompt/compose-epoch.js'
import type { Ttl } from '../request/markers.js'
import { contextTokens } from '../tokens/context-tokens.js'
import { createTokenWatch, type TokenWatch } from '../tokens/token-watch.js'
import { createView } from '../view/create-view.js'
import { type Accounts, createAccounts } from './accounts.js'
import { type Compositions, createCompositions } from './compositions.js'
import { type Conversation, createConversation } from './conversation.js'
import { type ModelSeat, tokenFactor } from './model-seat.js'
import type { Opened } from './open-stored.js'
import { compositionsIn, type Saved } from './saved.js'
import type { Senses } from './session-options.js'
import type { Status } from './status.js'

/** A session's log with all that is worked out from it. */
export interface SessionLog {
  readonly conversation: Conversation
  readonly compositions: Compositions
  readonly accounts: Accounts
  readonly tokens: TokenWatch
  readonly ttl: Ttl
  view(): View
}

export interface SessionLogParts {
  readonly opened: Opened
  readonly senses: Senses
  readonly seat: ModelSeat
  readonly status: Status
  readonly first: Composition
  readonly ttl: Ttl
  /** Hears of every notice, whoever gives it. */
  noticed(notice: NoticeEntry): void
}

export function startSessionLog(parts: SessionLogParts): SessionLog {
  const { opened, senses, seat, first, ttl } = parts
  const compositions = createCompositions()
  compositions.add(first)
  const accounts = createAccounts(ttl)
  const conversation = createConversation({
    store: opened.store,
    rules: seat.rules,
    epoch: first.epoch,
    writePrice: () => seat.model().info.price(0)[ttl === '1h' ? 'write1h' : 'write5m'],
    now: senses.now,
    newId: senses.newId,
    heard: (entry) => hear(parts, log, entry),
  })
  const tokens = createTokenWatch((id) => factorOf(id, seat), conversation.epoch)
  const view = createView({
    conversation,
    tokens: (estimate) => tokens.calibration.tokens(estimate),
    erasing: () => seat.rules.erasing,
    measure() {
      const { compact, window } = seat.thresholds()
      const { counted } = parts.status
      const isCounted = counted?.version === conversation.version()
      const measured = isCounted
        ? { total: counted.tokens, estimated: 0 }
        : contextTokens(conversation, tokens.calibration.tokens, seat.rules.erasing)
      return { ...measured, threshold: compact.tokens, window: window.tokens }
    },
  })
  const log: SessionLog = { conversation, compositions, accounts, tokens, ttl, view }
  parts.status.first = opened.log.checkpoint?.first
  for (const entry of opened.log.entries) conversation.restore(entry)
  return log
}

function hear({ status, noticed }: SessionLogParts, log: SessionLog, entry: Entry): void {
  const { tokens, compositions } = log
  status.first ??= entry.id
  tokens.hear(entry)
  for (const composition of compositionsIn(entry)) compositions.add(composition)
  if (entry.kind === 'assistant') status.responses += 1
  if (!status.isOpen) restore(status, log, entry)
  else if (entry.kind === 'notice') noticed(entry)
  else if (entry.kind === 'edit') {
    status.edits.push(entry)
    if (entry.changes.some(movesBeginning)) status.answered = undefined
  } else if (entry.kind === 'assistant' && status.sent) status.answered = { sent: status.sent, entry }
}

/** A checkpoint knows what came before it, whether that was read or not. */
function restore(status: Status, { accounts, tokens }: SessionLog, entry: Entry): void {
  accounts.restore(entry)
  const saved = coreStateIn<Saved>(entry, 'checkpoint')
  if (!saved) return
  accounts.resume(saved.spent)
  tokens.restore(saved.tokens)
  status.responses = saved.responses
}

/** Whether what was sent before is no longer what the conversation goes on from. */
function movesBeginning({ kind }: Change): boolean {
  return kind === 'fold' || kind === 'drop' || kind === 'revert'
}

function factorOf(id: string, seat: ModelSeat): number {
  const { info } = seat.model()
  return info.id === id || id === '' ? tokenFactor(info) : (info.kin?.(id).tokenFactor ?? 1)
}
