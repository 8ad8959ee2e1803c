import { receiptInFull } from '@nacre/compact'
import { count } from '../outcome/figures.js'
import type { Narrator } from '../outcome/narrator.js'
import { type Layer, layerWords } from '../outcome/outcome.js'
import { type Paint, wrap } from './terminal.js'

interface NarratorOptions {
  write(text: string): void
  readonly paint: Paint
  readonly width: number
  /** Waits between two lines. */
  pause(): Promise<void>
}

const NAME = 17
/** Below it names and texts do not stand side by side. */
const NARROW = 70

/** A narrator that writes lines for people. Why a layer is there is said the first time that it fires. */
export function terminalNarrator({ write, paint, width, pause }: NarratorOptions): Narrator {
  const lines: string[] = []
  const calls: string[] = []
  const explained = new Set<Layer>()
  const isNarrow = width < NARROW
  const indent = ' '.repeat(isNarrow ? 4 : NAME + 5)
  const indented = (text: string) => indent + wrap(text, width - indent.length, indent)
  const say = (line: string) => {
    if (calls.length > 0) lines.push(paint.dim(`  · ${wrap(tally(calls.splice(0)), width - 4, '    ')}`))
    lines.push(line)
  }
  return {
    scene: (title) => say(`\n${paint.bold(wrap(title, width))}`),
    prompt: (text) => say(`\n${paint.bold('❯')} ${wrap(firstLine(text), width - 2, '  ')}`),
    command(text, circumstance) {
      say(`\n${paint.bold('❯')} ${wrap(text, width - 2, '  ')}`)
      if (circumstance) say(paint.dim(`  (${wrap(circumstance, width - 4, '   ')})`))
    },
    call: ({ name }) => void calls.push(name),
    fired({ layer, text, receipt }) {
      const { name, why } = layerWords[layer]
      const own = indented(text)
      const gap = isNarrow ? `\n${own}` : ` ${' '.repeat(NAME - name.length)}${own.trimStart()}`
      say(`  ${paint.good('◆')} ${paint.good(name)}${gap}`)
      if (!explained.has(layer)) say(paint.dim(indented(why)))
      explained.add(layer)
      if (layer === 'full' && receipt) say(paint.dim(withinWidth(receiptInFull(receipt), width)))
    },
    answer: (text) => say(`  ${wrap(text, width - 2, '  ')}`),
    output: (text) => say(paint.dim(withinWidth(text, width))),
    retried: (attempt, reason) => say(paint.dim(`  ${wrap(`${reason} Asked again (${attempt}).`, width - 2, '  ')}`)),
    refused: (reason) => say(paint.bad(`  ✗ ${wrap(reason, width - 4, '    ')}`)),
    async flush() {
      for (const line of lines.splice(0)) {
        write(`${line}\n`)
        await pause()
      }
    },
  }
}

/** A receipt or what a command prints; only lines that are too long lose the way they are set. */
function withinWidth(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .map((line) => (line.length <= width ? line : `    ${wrap(line.trim(), width - 6, '      ')}`))
    .join('\n')
}

/** What is pasted behind it is not shown. */
function firstLine(text: string): string {
  const [first = '', , ...pasted] = text.split('\n')
  const characters = pasted.join('\n').length
  return characters === 0 ? first : `${first} [${count(characters)} characters pasted]`
}

/** `Todo, Bash, Read ×8`: names in the order in which they came, runs counted. */
export function tally(names: readonly string[]): string {
  const runs: { name: string; times: number }[] = []
  for (const name of names) {
    const last = runs.at(-1)
    if (last?.name === name) last.times += 1
    else runs.push({ name, times: 1 })
  }
  return runs.map(({ name, times }) => (times === 1 ? name : `${name} ×${times}`)).join(', ')
}
