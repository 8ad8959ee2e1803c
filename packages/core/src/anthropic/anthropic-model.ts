import Anthropic from '@anthropic-ai/sdk'
import { Stream } from '@anthropic-ai/sdk/streaming'
import { realTimer, type Timer } from '../async.js'
import { NacreError } from '../errors.js'
import { type ResolvedModel, resolveModel } from '../models/resolve-model.js'
import type { Json } from '../types/log.js'
import type { Model, ModelEvent } from '../types/model.js'
import { createBodyWriter } from './body-writer.js'
import { classify } from './classify.js'
import { readStream } from './read-stream.js'
import { type Call, countCall, messageCall } from './request-body.js'
import { type StreamLimits, within, withLimits } from './stream-limits.js'

export interface AnthropicModelOptions {
  /** A name, or a model that was resolved with options of its own. */
  readonly model: string | ResolvedModel
  /** A client of one's own; its retries are not used. */
  readonly client?: Anthropic
  readonly apiKey?: string
  readonly baseURL?: string
  /** As the API takes it; the fields of a request go before it. */
  readonly thinking?: Json
  readonly effort?: string
  readonly betas?: readonly string[]
  /**
   * Not public API: results carry references, and can be deleted from the server's cache by them. For servers that are
   * known to take it; others refuse every request.
   */
  readonly cacheEdits?: boolean
  /**
   * How long a stream may be silent, 90 seconds; how long a server may take for the headers of its answer, 5 minutes; and
   * how long pings alone are taken for an answer, 15 minutes. In milliseconds.
   */
  readonly idle?: {
    readonly milliseconds?: number
    readonly headers?: number
    readonly progress?: number
    readonly timer?: Timer
  }
}

const IDLE = 90_000
const HEADERS = 5 * 60_000
const PROGRESS = 15 * 60_000

/** A model behind the Messages API. Asks once, and throws what it is told as a classified error. */
export function anthropicModel(options: AnthropicModelOptions): Model & { readonly info: ResolvedModel } {
  const known =
    typeof options.model === 'string' ? resolveModel(options.model, { betas: options.betas ?? [] }) : options.model
  const info = options.cacheEdits ? { ...known, can: new Set([...known.can, 'cache-edits' as const]) } : known
  const client = options.client ?? connect(options)
  const send = options.client ? create(options.client) : post(client)
  const { milliseconds = IDLE, headers = HEADERS, progress = PROGRESS, timer = realTimer } = options.idle ?? {}
  const limits = { idle: milliseconds, headers, progress, timer }
  return {
    info,
    stream: (request, signal) => stream(send, messageCall(request, options, info), info, limits, signal),
    count: async (request, signal) => count(client, countCall(request, options, info), limits, signal),
  }
}

function connect({ apiKey, baseURL }: AnthropicModelOptions): Anthropic {
  return new Anthropic({
    ...(apiKey !== undefined && { apiKey }),
    ...(baseURL !== undefined && { baseURL }),
    maxRetries: 0,
  })
}

async function* stream(
  send: Send,
  call: Call,
  info: ResolvedModel,
  limits: StreamLimits,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  // One controller for each call: the SDK leaves a listener behind on the signal that it is given.
  const controller = new AbortController()
  const abort = () => controller.abort()
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  let finish = abort
  try {
    const response = await answerSoon(send(call, controller.signal), limits)
    const events = Stream.rawEvents(response as Parameters<typeof Stream.rawEvents>[0], controller)
    for await (const event of readStream(withLimits(events, limits), info)) {
      if (event.type === 'end') finish = () => void drain(events, limits, abort)
      yield event
    }
  } catch (error) {
    throw signal.aborted ? new NacreError('ABORTED', 'The call was aborted.', { cause: error }) : classify(error)
  } finally {
    signal.removeEventListener('abort', abort)
    finish()
  }
}

/** The SDK only waits so long for headers, by the clock; and for ever for the text of an error. */
function answerSoon<T>(answer: Promise<T>, { headers, timer }: StreamLimits): Promise<T> {
  return within(answer, `The server sent no answer within ${headers / 1_000} seconds.`, headers, timer)
}

/** Reads what is behind the last event, which should be nothing, so that the connection can be used again. */
async function drain(events: AsyncIterator<unknown>, { idle, timer }: StreamLimits, abort: () => void): Promise<void> {
  const cancel = timer(idle, abort)
  try {
    while (!(await events.next()).done);
  } catch {
    // The response is whole: how the connection ends is of no interest.
  }
  cancel()
}

type Send = (call: Call, signal: AbortSignal) => Promise<unknown>

/** A client of one's own may do more with a body than send it. Betas are a header; the SDK knows them on its beta path only. */
function create(client: Anthropic): Send {
  return ({ body, betas, headers }, signal) => {
    const options = { maxRetries: 0, headers, signal }
    return betas.length
      ? client.beta.messages.create({ ...body, betas } as unknown as BetaParams, options).asResponse()
      : client.messages.create(body as unknown as Params, options).asResponse()
  }
}

/** The plain client only has to send, so that a conversation is not written anew for each of its turns. */
function post(client: Anthropic): Send {
  const write = createBodyWriter()
  return async ({ body, betas, headers }, signal) => {
    const beta = betas.length > 0 && { 'anthropic-beta': betas.join() }
    const { bytes, giveBack } = write(body)
    try {
      const options = {
        body: bytes,
        headers: { 'content-type': 'application/json', ...headers, ...beta },
        ...(beta && { query: { beta: 'true' } }),
        maxRetries: 0,
        stream: true,
        signal,
      }
      return await client.post('/v1/messages', options).asResponse()
    } finally {
      giveBack()
    }
  }
}

type Params = Anthropic.MessageCreateParamsStreaming
type BetaParams = Anthropic.Beta.MessageCreateParamsStreaming

async function count(
  client: Anthropic,
  { body, betas, headers }: Call,
  limits: StreamLimits,
  signal: AbortSignal,
): Promise<number> {
  const controller = new AbortController()
  const options = { maxRetries: 0, headers, signal: AbortSignal.any([signal, controller.signal]) }
  try {
    const counted = betas.length
      ? client.beta.messages.countTokens({ ...body, betas } as unknown as BetaCount, options)
      : client.messages.countTokens(body as unknown as Count, options)
    const { input_tokens: tokens } = await answerSoon<{ readonly input_tokens?: unknown }>(counted, limits)
    if (typeof tokens !== 'number' || !(tokens >= 0)) throw new NacreError('SERVER', 'The server counted no tokens.')
    return tokens
  } catch (error) {
    controller.abort()
    throw classify(error)
  }
}

type Count = Anthropic.MessageCountTokensParams
type BetaCount = Anthropic.Beta.MessageCountTokensParams
