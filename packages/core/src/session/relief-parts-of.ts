import type { Pace } from '../contract/relief.js'
import { composeEpoch } from '../prompt/compose-epoch.js'
import { keepReferenced } from '../prompt/keep-referenced.js'
import type { ReliefParts } from '../relief/relief-parts.js'
import { statesInView } from '../view/states-in-view.js'
import { LIFETIMES } from './accounts.js'
import { epochKey } from './compositions.js'
import type { Runtime } from './runtime.js'
import type { Saved } from './saved.js'

type Needed = Pick<
  Runtime,
  | 'accounts'
  | 'ask'
  | 'compositions'
  | 'conversation'
  | 'emit'
  | 'fork'
  | 'hooks'
  | 'kit'
  | 'notes'
  | 'seat'
  | 'senses'
  | 'status'
  | 'tokens'
  | 'ttl'
  | 'view'
>

/** What relief sees of its session. */
export function reliefPartsOf(runtime: Needed): ReliefParts {
  const { conversation, hooks, kit, seat, tokens, notes, compositions, view, emit } = runtime
  return {
    conversation,
    hooks,
    view,
    reliefs: kit.reliefs,
    restorers: kit.restorers,
    thresholds: () => seat.thresholds(),
    model: () => seat.model().info,
    tokens: (estimate) => tokens.calibration.tokens(estimate),
    pace: () => paceOf(runtime),
    async renewEpoch() {
      const composed = await composeEpoch(kit.sections(), kit.tools())
      const renewed = keepReferenced(composed, compositions.of(conversation.epoch()), conversation.rendering().messages)
      if (epochKey(renewed.epoch) === epochKey(conversation.epoch())) return undefined
      compositions.add(renewed)
      return renewed.epoch
    },
    rules: (epoch = conversation.epoch()) => compositions.of(epoch).sections.flatMap(({ rules }) => rules ?? []),
    checkpoint: () => ({ ...savedOf(runtime), states: statesInView(conversation.projection).filter(isKept) }),
    pinned: () => new Set((view().state('core', 'pinned') as readonly string[] | undefined) ?? []),
    emit,
    tool: kit.tool,
    extendsAnswered() {
      const sent = runtime.status.answered?.sent.messages
      return !sent || conversation.rendering().at(sent.length - 1)?.chain === sent.at(-1)?.chain
    },
    fork: runtime.fork,
    ask: runtime.ask,
    collectNotes: notes.collect,
  }
}

function paceOf({ tokens, status, senses, ttl }: Needed): Pace {
  const last = tokens.lastResponse()
  const idle = last === undefined ? Number.POSITIVE_INFINITY : senses.now() - last
  return {
    tokensPerTurn: tokens.tokensPerTurn(),
    ttl,
    idle,
    isCold: idle >= LIFETIMES[ttl],
    // Nobody knows how long a session will go on; that it goes on for as long again is the best guess there is.
    turnsExpected: Math.max(1, status.responses),
  }
}

function savedOf({ compositions, conversation, accounts, tokens, status, ttl }: Needed): Saved {
  const current = compositions.of(conversation.epoch())
  const others = compositions.all().filter(({ epoch }) => epochKey(epoch) !== epochKey(current.epoch))
  return {
    compositions: [current, ...others],
    spent: accounts.ledger().state(),
    tokens: tokens.state(),
    responses: status.responses,
    ttl,
  }
}

function isKept({ owner, key }: { readonly owner: string; readonly key: string }): boolean {
  return owner !== 'core' || (key !== 'checkpoint' && key !== 'spent' && key !== 'epoch')
}
