import type { WireUsage } from '../anthropic/read-stream.js'
import type { Block } from '../types/log.js'

interface Item {
  readonly id: string
  readonly time: number
  readonly parent: string | undefined
}

/** What happened, in order: whole responses, single results. */
export type SessionItem =
  | (Item & { readonly kind: 'prompt'; readonly content: readonly Block[]; readonly isMeta: boolean })
  | (Item & { readonly kind: 'result'; readonly call: string; readonly content: readonly Block[] })
  | (Item & Response)
  | (Item & { readonly kind: 'boundary'; readonly how: string; summary: readonly Block[] | undefined })
  /** Of no interest but as a place that others follow. */
  | (Item & { readonly kind: 'mark' })

interface Response {
  readonly kind: 'response'
  readonly messageId: string
  readonly model: string
  readonly content: Block[]
  stop: string | undefined
  usage: WireUsage
}

export interface Joiner {
  readonly items: readonly SessionItem[]
  /** `isPart`: whether it belongs to the conversation, and not only to the chain of records. */
  add(record: SessionRecord, isPart: boolean): void
}

/**
 * Puts the records of a session together again. A response is split into a record for each block, with results of its
 * first calls between them; all of it belongs to the response that has begun with the same message id.
 */
export function createJoiner(): Joiner {
  const items: SessionItem[] = []
  const responses = new Map<string, Response>()
  const calls = new Set<string>()
  let count = 0

  const addUser = (record: SessionRecord, item: Item): void => {
    const blocks = blocksOf(record)
    const last = items.findLast(({ kind }) => kind !== 'mark')
    if (record.isCompactSummary && last?.kind === 'boundary') {
      last.summary = blocks
      items.push({ ...item, kind: 'mark' })
      return
    }
    const results = blocks.filter(({ type }) => type === 'tool_result')
    const words = blocks.filter(({ type }) => type !== 'tool_result')
    results.forEach((block, index) => {
      const id = index === 0 ? item.id : `${item.id}.${index}`
      items.push({ ...item, id, kind: 'result', call: String(block.tool_use_id), content: [block] })
    })
    if (words.length === 0) return
    const id = results.length ? `${item.id}.text` : item.id
    items.push({ ...item, id, kind: 'prompt', content: words, isMeta: record.isMeta ?? false })
  }
  const addAssistant = (record: SessionRecord, item: Item): void => {
    const { id: messageId = item.id, model = '', stop_reason, usage = {} } = record.message ?? {}
    const known = responses.get(messageId)
    const response: Response = known ?? { kind: 'response', messageId, model, content: [], stop: undefined, usage }
    if (!known) {
      responses.set(messageId, response)
      items.push(Object.assign(response, item))
    } else items.push({ ...item, kind: 'mark' })
    for (const block of blocksOf(record)) {
      // The same call twice would be refused by the API.
      if (block.type === 'tool_use' && calls.has(String(block.id))) continue
      if (block.type === 'tool_use') calls.add(String(block.id))
      response.content.push(block)
    }
    response.stop = stop_reason ?? response.stop
    // Counted while it came in: the last count is the whole.
    if ((usage.output_tokens ?? 0) >= (response.usage.output_tokens ?? 0)) response.usage = usage
  }

  return {
    items,
    add(record, isPart) {
      const item = itemOf(record, count++)
      if (!isPart) items.push({ ...item, kind: 'mark' })
      else if (record.type === 'user') addUser(record, item)
      else if (record.type === 'assistant') addAssistant(record, item)
      else items.push({ ...item, kind: 'boundary', how: howOf(record), summary: undefined })
    },
  }
}

function itemOf({ uuid, parentUuid, timestamp }: SessionRecord, number: number): Item {
  const time = Date.parse(timestamp ?? '')
  return { id: uuid ?? `record-${number}`, time: Number.isNaN(time) ? 0 : time, parent: parentUuid ?? undefined }
}

function howOf({ compactMetadata }: SessionRecord): string {
  const { trigger = 'unknown trigger', preTokens } = compactMetadata ?? {}
  return preTokens === undefined ? trigger : `${trigger}, at ${preTokens} tokens`
}

/** A line of a Claude Code session, as far as it is read here. */
export interface SessionRecord {
  readonly type: string
  readonly subtype?: string
  readonly uuid?: string
  readonly parentUuid?: string | null
  readonly timestamp?: string
  readonly isSidechain?: boolean
  readonly isMeta?: boolean
  readonly isCompactSummary?: boolean
  readonly isApiErrorMessage?: boolean
  readonly compactMetadata?: { readonly trigger?: string; readonly preTokens?: number }
  readonly message?: {
    readonly id?: string
    readonly model?: string
    readonly content?: string | readonly Block[]
    readonly stop_reason?: string | null
    readonly usage?: WireUsage
  }
}

/** Why a record is no part of the conversation, or `undefined` when it is. */
export function skipReason(record: SessionRecord): string | undefined {
  if (record.isSidechain) return 'of sub-agents'
  if (record.type === 'system') return record.subtype === 'compact_boundary' ? undefined : `of type system`
  if (record.type !== 'user' && record.type !== 'assistant') return `of type ${record.type}`
  if (!record.message?.content) return 'without content'
  // The program's own words in the model's place: no model has said or read them.
  if (record.isApiErrorMessage || record.message.model === '<synthetic>') return 'made up by the program'
  return undefined
}

/** The content of a record as blocks that a request may hold: nothing blank, no markers. */
function blocksOf({ message }: SessionRecord): Block[] {
  const content = message?.content ?? []
  return typeof content === 'string' ? clean([{ type: 'text', text: content }]) : clean(content)
}

function clean(blocks: readonly Block[]): Block[] {
  return blocks
    .filter((block) => block.type !== 'text' || String(block.text).trim() !== '')
    .map(({ cache_control: _, ...block }) =>
      block.type === 'tool_result' && Array.isArray(block.content)
        ? { ...block, content: clean(block.content) }
        : (block as Block),
    )
}
