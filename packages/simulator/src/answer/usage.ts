import type { InputUsage } from '../cache/prompt-cache.js'
import { type ModelSpec, priceFor } from '../models/model-spec.js'
import type { Json } from '../wire.js'

/** The tokens of one run of the model. */
export interface Iteration extends InputUsage {
  readonly type: 'message' | 'compaction'
  readonly output: number
  readonly thinking: number
}

export const NO_TOKENS: InputUsage = { read: 0, write5m: 0, write1h: 0, input: 0 }

export function promptTokens(usage: InputUsage): number {
  return usage.read + usage.write5m + usage.write1h + usage.input
}

/** What the runs that count as the answer add up to. */
export function sumMessages(iterations: readonly Iteration[]): Iteration {
  return sumOf(iterations, (each) => each.type === 'message')
}

/** What all runs add up to, summaries included: what is billed. */
export function sumAll(iterations: readonly Iteration[]): Iteration {
  return sumOf(iterations, () => true)
}

function sumOf(iterations: readonly Iteration[], counts: (each: Iteration) => boolean): Iteration {
  const only = iterations[0]
  if (only && iterations.length === 1 && counts(only)) return only
  const sum = { type: 'message' as const, read: 0, write5m: 0, write1h: 0, input: 0, output: 0, thinking: 0 }
  for (const each of iterations) {
    if (!counts(each)) continue
    sum.read += each.read
    sum.write5m += each.write5m
    sum.write1h += each.write1h
    sum.input += each.input
    sum.output += each.output
    sum.thinking += each.thinking
  }
  return sum
}

/** Dollars for all runs; the size of each run's prompt decides its tier. */
export function dollars(spec: ModelSpec, iterations: readonly Iteration[]): number {
  let cost = 0
  for (const each of iterations) {
    const price = priceFor(spec, promptTokens(each))
    cost +=
      each.input * price.input +
      each.read * price.read +
      each.write5m * price.write5m +
      each.write1h * price.write1h +
      each.output * price.output
  }
  return cost / 1_000_000
}

function creation(usage: InputUsage): Json {
  return { ephemeral_5m_input_tokens: usage.write5m, ephemeral_1h_input_tokens: usage.write1h }
}

export interface UsageExtras {
  readonly speed: string
  readonly serverToolUse: Json
  /** Present with the compaction betas. */
  readonly iterations: readonly Iteration[] | undefined
  /** Present with the `cache_edits` extension. */
  readonly deleted: number | undefined
}

/** Usage as a response carries it. */
export function usageBody(total: Iteration, model: string, extras: UsageExtras): Record<string, Json> {
  const body: Record<string, Json> = {
    input_tokens: total.input,
    cache_creation_input_tokens: total.write5m + total.write1h,
    cache_read_input_tokens: total.read,
    cache_creation: creation(total),
    output_tokens: total.output,
    output_tokens_details: { thinking_tokens: total.thinking },
    server_tool_use: extras.serverToolUse,
    service_tier: 'standard',
    inference_geo: 'global',
    speed: extras.speed,
  }
  return addExtras(body, model, extras)
}

/** Usage as the last event of a stream carries it. */
export function deltaUsageBody(total: Iteration, model: string, extras: UsageExtras): Record<string, Json> {
  const body: Record<string, Json> = {
    input_tokens: total.input,
    cache_creation_input_tokens: total.write5m + total.write1h,
    cache_read_input_tokens: total.read,
    output_tokens: total.output,
    output_tokens_details: { thinking_tokens: total.thinking },
    server_tool_use: extras.serverToolUse,
  }
  return addExtras(body, model, extras)
}

function addExtras(body: Record<string, Json>, model: string, extras: UsageExtras): Record<string, Json> {
  if (extras.deleted !== undefined) body.cache_deleted_input_tokens = extras.deleted
  if (extras.iterations) body.iterations = extras.iterations.map((each) => iterationBody(each, model))
  return body
}

function iterationBody(each: Iteration, model: string): Json {
  return {
    type: each.type,
    input_tokens: each.input,
    cache_creation_input_tokens: each.write5m + each.write1h,
    cache_read_input_tokens: each.read,
    cache_creation: creation(each),
    output_tokens: each.output,
    model,
  }
}
