import { briefInput } from './brief-input.js'
import { oneLine } from './one-line.js'

const START = '[Cleared: '

/** What is known of a result that goes. */
export interface ClearedResult {
  readonly tool: string
  readonly input: unknown
  readonly tokens: number
  readonly media: number
  readonly isError: boolean
  /** Its most telling names. */
  readonly names: readonly string[]
  /** Where its full text is, where the model can get it. */
  readonly place: string | undefined
}

/** The one line that stands for a cleared result. */
export function clearedLine({ tool, input, tokens, media, isError, names, place }: ClearedResult): string {
  const asked = briefInput(input)
  const what = [
    `${oneLine(tool)}${asked === '' ? '' : ` (${asked})`}`,
    ...(isError ? ['failed'] : []),
    `${Math.round(tokens)} tokens`,
    ...(media === 0 ? [] : [`with ${media} ${media === 1 ? 'image or document' : 'images or documents'}`]),
  ].join(', ')
  const said = names.length === 0 ? '' : ` In it: ${names.join(' | ')}.`
  return `${START}${what}.${said} ${place === undefined ? 'Call it again if you need it.' : `Full text: ${place}.`}]`
}

export function isClearedLine(text: string): boolean {
  return text.startsWith(START)
}
