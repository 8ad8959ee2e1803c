import { lexer } from 'marked'

/** Parts a text that is still coming: blocks that nothing can change any more, and the rest, which is shown anew. */
export function splitFinished(text: string): { readonly finished: string; readonly rest: string } {
  const tokens = lexer(text)
  const last = tokens.findLastIndex(({ type }) => type !== 'space')
  if (last <= 0) return { finished: '', rest: text }
  const length = tokens.slice(0, last).reduce((sum, { raw }) => sum + raw.length, 0)
  return { finished: text.slice(0, length), rest: text.slice(length) }
}
