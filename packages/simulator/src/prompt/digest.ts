import { hash } from 'node:crypto'
import type { Block, Json, Tool } from '../wire.js'
import { mix } from './mix.js'

/** Up to here the small hash is faster than a call into the crypto library. */
const SHORT = 256

/** Tells texts apart. The same text gives the same digest on every machine and in every run. */
export function digest(text: string): string {
  return text.length <= SHORT ? mix(text) : hash('sha256', text, 'base64url')
}

const TEXT_SEED = 0x7e87

/** The digest of a block that is nothing but text, told apart from all others without copying the text. */
export function textDigest(text: string): string {
  return text.length <= SHORT ? mix(text, TEXT_SEED) : `${hash('sha256', text, 'base64url')}text`
}

/**
 * What the prompt cache compares of a block. Markers do not count, nor does the order of a block's own fields; the
 * order of keys inside a tool's input or schema does, since the model reads them as they stand.
 */
function cacheDigest(block: Block | Tool): string {
  return blockDigest(block, JSON.stringify)
}

export type DigestOf = (block: Block | Tool) => string

/** `cacheDigest`, worked out once for each block: a request looks at its blocks more than once. */
export function rememberDigests(): DigestOf {
  const known = new Map<Block | Tool, string>()
  return (block) => {
    let found = known.get(block)
    if (found === undefined) {
      found = cacheDigest(block)
      known.set(block, found)
    }
    return found
  }
}

/** What a thinking block is bound to: as above, but no order of keys counts. */
export function bindingDigest(block: Block | Tool): string {
  return blockDigest(block, canonicalJson)
}

type Stringify = (value: unknown) => string

function blockDigest(block: Block | Tool, stringify: Stringify): string {
  if (block.type === 'text' && !isFilled(block.citations)) return textDigest(block.text as string)
  return digest(contentOf(block, stringify))
}

function contentOf(block: Block | Tool, stringify: Stringify): string {
  switch (block.type) {
    case 'tool_use':
      if (isDirect(block.caller)) return `tool_use\0${block.id}\0${block.name}\0${stringify(block.input)}`
      break
    case 'tool_result':
      return `tool_result\0${block.tool_use_id}\0${block.is_error ? 1 : 0}\0${resultContent(block.content, stringify)}`
  }
  return `${block.type ?? 'custom'}\0${fieldsOf(block, stringify)}`
}

function resultContent(content: unknown, stringify: Stringify): string {
  if (typeof content === 'string') return content === '' ? '' : textDigest(content)
  return ((content ?? []) as Block[]).map((inner) => blockDigest(inner, stringify)).join()
}

/** The remaining fields by name; what is null or empty counts as absent. */
function fieldsOf(block: Block | Tool, stringify: Stringify): string {
  return Object.keys(block)
    .filter((name) => name !== 'type' && name !== 'cache_control' && isFilled(block[name]))
    .sort()
    .map((name) => `${name}:${stringify(block[name])}`)
    .join('\0')
}

function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)
}

function isDirect(caller: unknown): boolean {
  return caller == null || (caller as { type?: string }).type === 'direct'
}

/** JSON with the keys of every object in order. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    const sorted: Record<string, Json> = {}
    for (const key of Object.keys(inner).sort()) sorted[key] = (inner as Record<string, Json>)[key] as Json
    return sorted
  })
}
