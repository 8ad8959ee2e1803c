import { receiptInFull } from '@nacre/compact'
import type { Layer } from '../play/told.js'
import { layerWords } from './layer-words.js'
import type { Narrator } from './narrator.js'
import type { Paint } from './paint.js'
import { tally } from './tally.js'
import { wrap } from './wrap.js'

export interface TellOptions {
  write(text: string): void
  readonly paint: Paint
  readonly width: number
  /** Waits between two lines. */
  pause(): Promise<void>
}

const NAME = 17
const INDENT = ' '.repeat(NAME + 5)

/** A narrator that writes lines for people. Why a layer is there is said the first time that it fires. */
export function tellOn({ write, paint, width, pause }: TellOptions): Narrator {
  const lines: string[] = []
  const calls: string[] = []
  const explained = new Set<Layer>()
  const say = (line: string) => {
    if (calls.length > 0) lines.push(paint.dim(`  · ${wrap(tally(calls.splice(0)), width - 4, '')}`))
    lines.push(line)
  }
  return {
    scene: (title) => say(`\n${paint.bold(title)}`),
    prompt: (text) => say(`\n${paint.bold('❯')} ${wrap(firstLine(text), width - 2, '  ')}`),
    command: (text, circumstance) =>
      say(`\n${paint.bold('❯')} ${text}${circumstance ? paint.dim(`  (${circumstance})`) : ''}`),
    call: ({ name }) => void calls.push(name),
    fired({ layer, text, receipt }) {
      const { name, why } = layerWords[layer]
      say(
        `  ${paint.good('◆')} ${paint.good(name.padEnd(NAME))} ${wrap(text, width - NAME - 5, '').replaceAll('\n', `\n${INDENT}`)}`,
      )
      if (layer === 'full' && receipt) say(paint.dim(receiptInFull(receipt).replaceAll(/^/gm, '    ')))
      if (explained.has(layer)) return
      explained.add(layer)
      say(paint.dim(INDENT + wrap(why, width - NAME - 5).replaceAll('\n', `\n${INDENT}`)))
    },
    answer: (text) => say(`  ${wrap(text, width - 2, '  ')}`),
    refused: (reason) => say(paint.bad(`  ✗ ${wrap(reason, width - 4, '    ')}`)),
    async flush() {
      for (const line of lines.splice(0)) {
        write(`${line}\n`)
        await pause()
      }
    },
  }
}

/** What is pasted behind it is not shown. */
function firstLine(text: string): string {
  const [first = '', , ...pasted] = text.split('\n')
  const characters = pasted.join('\n').length
  return characters === 0 ? first : `${first} [${characters.toLocaleString('en-US')} characters pasted]`
}
