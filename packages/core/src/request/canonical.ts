import { hashText } from './hash.js'

/** JSON with the keys of every object in order, so that the same content gives the same bytes. */
function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  let json = ''
  for (const key of Object.keys(value).sort()) {
    const inner = (value as Record<string, unknown>)[key]
    if (inner !== undefined) json += `${json === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(inner)}`
  }
  return `{${json}}`
}

const hashes = new WeakMap<object, string>()

/** The hash of a block's content. Blocks never change, so each is hashed once. */
export function hashOf(value: object): string {
  const known = hashes.get(value)
  if (known !== undefined) return known
  const hash = hashText(canonicalJson(value))
  hashes.set(value, hash)
  return hash
}
