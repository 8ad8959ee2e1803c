import type { Paint } from '../table.js'
import type { Chapter } from './chapter.js'

const count = (tokens: number) => Math.round(tokens).toLocaleString('en-US')
const money = (dollars: number) => `$${dollars.toFixed(4)}`

/** The chapter as people read it. */
export function chapterText(chapter: Chapter, paint: Paint): string {
  const { reproduced, edit, cost, breaks } = chapter
  const rows: readonly (readonly [string, string])[] = [
    ['killed', `kill -9 while request ${chapter.killedAt} was being answered`],
    [
      'resumed',
      `${reproduced.same} of ${reproduced.sent} requests sent before the kill came back from the log to the byte`,
    ],
    [
      'finished',
      `${chapter.answer} (${chapter.readAgain <= 0 ? 'no file was read twice' : `${chapter.readAgain} asked again`})`,
    ],
    [
      'edited',
      `'${edit.owner}' cleared ${edit.changes.length} results: ${count(edit.price.freed)} tokens fewer, ${money(edit.price.dollars)} to write the rest again`,
    ],
    [
      'undone',
      chapter.isUndone ? 'the next request says again all that was said before the edit, to the byte' : 'not undone',
    ],
    [
      'cost',
      `${cost.requests} requests, ${money(cost.dollars)}, ${(cost.hitRate * 100).toFixed(1)}% of the input from the cache`,
    ],
    ...breaks.map(
      ({ cause, owner, what, tokens, dollars }) =>
        ['cache break', `${cause} by '${owner}' (${what}): ${count(tokens)} tokens, ${money(dollars)}`] as const,
    ),
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, text]) => `${paint.bold(name.padEnd(width))}  ${text}`)
  return `\n${paint.bold('One session, killed and resumed')}\nThe same story as a session of @nacre/core: its log is a file, its process is not spared.\n\n${lines.join('\n')}\n`
}
