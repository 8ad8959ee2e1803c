import type { Paint } from '../table.js'
import type { ResultsChapter } from './results-chapter.js'

const count = (bytes: number) => bytes.toLocaleString('en-US')

/** The chapter as people read it. */
export function resultsText({ bytes, unseen, file, answer, isSame }: ResultsChapter, paint: Paint): string {
  const rows: readonly (readonly [string, string])[] = [
    ['given', `a tool gave ${count(bytes.given)} bytes`],
    ['shown', `the model got ${count(bytes.shown)}: both ends, and that it has not seen ${unseen}`],
    [
      'stored',
      `${file.isWhole ? 'all of it' : 'a part of it'} in a file that only its owner reads (0${file.mode.toString(8)}); the log has ${count(bytes.log)} bytes`,
    ],
    ['looked up', answer],
    [
      'resumed',
      isSame ? 'the next request said all that before it, to the byte' : 'the next request said something else',
    ],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, text]) => `${paint.bold(name.padEnd(width))}  ${text}`)
  return `\n${paint.bold('One result, five megabytes')}\nThe same core with toolResultStorage() of @nacre/tools, and a tool that knows nothing of limits.\n\n${lines.join('\n')}\n`
}
