import type { ModelEnd, ModelEvent, ModelInfo } from '../contract/model.js'
import { NacreError } from '../nacre-error.js'
import { type OpenBlock, openBlock } from './open-block.js'
import { toUsage } from './to-usage.js'
import type { WireEvent, WireUsage } from './wire.js'

/** An event as it comes over the wire. */
export interface RawEvent {
  readonly event: string | null
  readonly data: string
}

interface Progress {
  usage: WireUsage
  stop: string
  droppedPaths: readonly string[]
  readonly open: Map<number, OpenBlock>
}

/** Turns a stream into events of ours. One that ends before its last event was cut. */
export async function* readStream(
  source: AsyncIterable<RawEvent>,
  model: Pick<ModelInfo, 'price'>,
): AsyncGenerator<ModelEvent> {
  const progress: Progress = { usage: {}, stop: 'end_turn', droppedPaths: [], open: new Map() }
  for await (const { event, data } of source) {
    if (event === 'error') throw streamError(data)
    if (event === null || event === 'ping') continue
    const wire = JSON.parse(data) as WireEvent
    if (wire.type === 'message_stop') {
      yield endOf(progress, model)
      return
    }
    const told = take(wire, progress, model)
    if (told) yield told
  }
  throw new NacreError('STREAM_CUT', 'The stream ended in the middle of the response.')
}

/** The body of an error in the shape that the SDK gives to those that come instead of a response. */
function streamError(data: string): object {
  const body = JSON.parse(data) as { error?: { type?: string; message?: string; details?: { error_code?: string } } }
  return {
    name: 'APIError',
    type: body.error?.type,
    apiMessage: body.error?.message,
    errorCode: body.error?.details?.error_code,
  }
}

function take(
  wire: WireEvent,
  progress: Progress,
  model: Pick<ModelInfo, 'price'>,
): Exclude<ModelEvent, ModelEnd> | undefined {
  switch (wire.type) {
    case 'message_start': {
      const { id, usage, input_transformations } = wire.message
      progress.usage = usage
      progress.droppedPaths = (input_transformations ?? [])
        .filter(({ type }) => type === 'thinking_dropped')
        .map(({ path }) => path)
      return { type: 'start', messageId: id, usage: toUsage(usage, model).usage }
    }
    case 'content_block_start':
      progress.open.set(wire.index, openBlock(wire.content_block))
      return undefined
    case 'content_block_delta': {
      const block = progress.open.get(wire.index)?.add(wire.delta)
      return block && { type: 'delta', index: wire.index, block }
    }
    case 'content_block_stop': {
      const block = progress.open.get(wire.index)?.close()
      progress.open.delete(wire.index)
      return block && { type: 'block', index: wire.index, block }
    }
    case 'message_delta':
      progress.usage = merge(progress.usage, wire.usage ?? {})
      progress.stop = wire.delta.stop_reason ?? progress.stop
      return undefined
  }
  return undefined
}

/** Usage is cumulative: what a later event names stands, what it leaves out or nulls stays. */
function merge(before: WireUsage, after: WireUsage): WireUsage {
  const named = Object.entries(after).filter(([, value]) => value !== null && value !== undefined)
  return { ...before, ...Object.fromEntries(named) }
}

function endOf({ usage, stop, droppedPaths }: Progress, model: Pick<ModelInfo, 'price'>): ModelEnd {
  return {
    type: 'end',
    stop,
    ...toUsage(usage, model),
    thinkingDropped: [],
    ...(typeof usage.cache_deleted_input_tokens === 'number' && { deleted: usage.cache_deleted_input_tokens }),
    ...(droppedPaths.length && { droppedPaths }),
  }
}
