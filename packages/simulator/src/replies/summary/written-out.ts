import type { Call } from './material.js'

const CALL = /^\[called (\S+) with (\{[\s\S]*\})\]$/
const RESULT = /^\[(result|failure) of [^\]\n]+\]\n([\s\S]*)$/

/** A call that stands in a conversation as text, since the request has no tools to go with it. */
export function writtenCall(text: string): Call | undefined {
  const [, name, input] = CALL.exec(text.trim()) ?? []
  if (name === undefined || input === undefined) return undefined
  try {
    return { id: '', name, input: JSON.parse(input) }
  } catch {
    return undefined
  }
}

/** A result that does. */
export function writtenResult(text: string): { readonly text: string; readonly isError: boolean } | undefined {
  const [, kind, words] = RESULT.exec(text) ?? []
  return words === undefined ? undefined : { text: words, isError: kind === 'failure' }
}
