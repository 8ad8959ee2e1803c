import { type ModelTurn, type ReplyBlock, type Simulator, type SimulatorDetails, scripted } from '@nacre/simulator'
import { createBreakWatch, type FoundRead } from '../../src/cache/breaks.js'
import type { Prediction } from '../../src/cache/predict.js'
import type { OwnedHash, SentPrefix } from '../../src/cache/prefix.js'
import { type Conversation, createConversation } from '../../src/conversation/conversation.js'
import { hashOf } from '../../src/hash.js'
import { type BlockPlace, placeBefore, placeMarkers, toMessages, toSystem } from '../../src/request/markers.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import { estimateBlock } from '../../src/tokens/estimate.js'
import type { Block, Edit, Entry, Epoch, Json, Usage } from '../../src/types/log.js'
import { blocksOf, endOf, eventsOf, requestOf, setUp } from '../anthropic/setup.js'

/** A request with what was predicted and what came of it. */
export interface Sending {
  readonly prediction: Prediction | undefined
  readonly usage: Usage
  readonly found: FoundRead | undefined
  readonly sent: SentPrefix
}

interface Bytes {
  readonly system: readonly string[]
  readonly tools: readonly string[]
  readonly model: string
  readonly effort: string
}

export interface CachedSession {
  readonly simulator: Simulator
  readonly sendings: readonly Sending[]
  readonly log: readonly Entry[]
  conversation(): Conversation
  /** Says something and answers all calls; gives what came of the last request. `calls 3` in a prompt makes three calls. */
  ask(prompt: string, source?: string): Promise<Sending>
  /** The same with blocks that are no text. */
  show(content: readonly Block[]): Promise<Sending>
  /** Keeps a live entry before that one. */
  standBefore(entry: string): void
  /** Goes on with other bytes, as after a bug or a change of mind. */
  change(bytes: Partial<Bytes>): void
}

const BYTES: Bytes = { system: ['rules', 'place'], tools: ['read', 'write'], model: 'claude-opus-5-5', effort: 'high' }
const LIFETIME = 5 * 60_000

export function words(count: number, seed: string): string {
  return Array.from({ length: count }, (_, index) => `${seed}${(index * 7) % 97}`).join(' ')
}

/** A session that sends over a socket what it has, marked, and lets a watch judge what the server read. */
export async function startCachedSession(details: SimulatorDetails = {}): Promise<CachedSession> {
  const { simulator, connect } = await setUp({ model: scripted(reply), details })
  const watch = createBreakWatch()
  const sendings: Sending[] = []
  const log: Entry[] = []
  const store = await memoryStore().open('cached', new AbortController().signal)
  const previous = new Map<string, BlockPlace>()
  let edits: Edit[] = []
  let bytes = BYTES
  let cut: string | undefined
  const begin = (epoch: Epoch) =>
    createConversation({
      store,
      rules: {
        isBound: true,
        hasSystemRole: true,
        reads: () => true,
        estimate: (block) => 1.3 * estimateBlock(block),
      },
      epoch,
      writePrice: () => 5,
      now: () => simulator.clock.now(),
      newId: () => `e${log.length}`,
      onEntry: (entry) => {
        log.push(entry)
        if (entry.kind === 'edit') edits.push(entry)
      },
    })
  let conversation = begin(epochOf(bytes))

  async function send(source: string): Promise<Sending> {
    const { messages, prefix } = conversation.rendering()
    const { system, tools } = conversation.epoch()
    const markers = placeMarkers(messages, {
      previous: previous.get(source),
      nextCut: cut === undefined ? undefined : placeBefore(messages, cut),
      sessionEnd: system.length ? system.length - 1 : undefined,
      staticEnd: system.length ? 0 : undefined,
    })
    previous.set(source, markers[0] as BlockPlace)
    const sent: SentPrefix = {
      model: bytes.model,
      cacheMinimum: 512,
      settings: bytes.effort,
      system: owned(system, bytes.system),
      tools: owned(tools as readonly unknown[] as readonly object[], bytes.tools),
      messages,
      markers,
      edits,
      isFolded: edits.some(({ changes }) => changes.some(({ kind }) => kind === 'fold')),
      time: simulator.clock.now(),
      lifetime: LIFETIME,
    }
    edits = []
    const prediction = watch.sent(source, sent)
    const model = connect({ model: bytes.model, effort: bytes.effort })
    const request = requestOf(toMessages(messages, markers, '5m'), {
      model: bytes.model,
      epoch: { system: toSystem(system, markers, '5m') as unknown as readonly Block[], tools },
    })
    const events = await eventsOf(model, request)
    const { usage, stop } = endOf(events)
    const content = blocksOf(events)
    const entry = { kind: 'assistant' as const, content, model: bytes.model, messageId: '', usage, stop, prefix }
    await conversation.append(entry)
    const found = watch.answered(source, usage, model.info.price(usage.input + usage.cacheRead + usage.cacheWrite5m))
    const sending = { prediction, usage, found, sent }
    sendings.push(sending)
    for (const { id } of content.filter(({ type }) => type === 'tool_use')) {
      const result = { type: 'tool_result', tool_use_id: id, content: words(300, `r${log.length}x`) }
      await conversation.append({ kind: 'user', content: [result] })
    }
    return content.some(({ type }) => type === 'tool_use') ? send(source) : sending
  }

  return {
    simulator,
    sendings,
    log,
    conversation: () => conversation,
    async ask(prompt, source = 'main') {
      await conversation.append({ kind: 'user', content: [{ type: 'text', text: prompt }] })
      return send(source)
    },
    async show(content) {
      await conversation.append({ kind: 'user', content })
      return send('main')
    },
    standBefore(entry) {
      cut = entry
    },
    change(changed) {
      bytes = { ...bytes, ...changed }
      const kept = log.splice(0)
      conversation = begin(epochOf(bytes))
      for (const entry of kept) conversation.restore(entry)
      edits = []
    },
  }
}

function reply({ messages }: ModelTurn): readonly ReplyBlock[] {
  const said = messages.at(-1)?.content.findLast(({ type }) => type === 'text')
  const calls = Number(/calls (\d+)/.exec(String(said?.text ?? ''))?.[1] ?? 0)
  const isAsked = messages.at(-1)?.content.some(({ type }) => type === 'tool_result') === false
  return [
    { type: 'thinking', thinking: words(20, 't') },
    words(200, `a${messages.length}x`),
    ...Array.from({ length: isAsked ? calls : 0 }, () => ({ type: 'tool_use', name: 'read', input: {} })),
  ]
}

function epochOf({ system, tools }: Bytes): Epoch {
  return {
    system: system.map((text) => ({ type: 'text', text: words(900, `${text}s`) })),
    tools: tools.map((name) => {
      const [title] = name.split(' ')
      return { name: title as string, description: words(100, name), input_schema: { type: 'object' } } as Json
    }),
  }
}

/** Each piece is named after itself and owned by a plugin of that name. */
function owned(pieces: readonly object[], names: readonly string[]): OwnedHash[] {
  return pieces.map((content, index) => {
    const [name] = (names[index] as string).split(' ')
    return { hash: hashOf(content), owner: `${name}-plugin`, name: name as string, content }
  })
}
