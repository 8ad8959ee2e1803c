import type { CommandWord } from './command-word.js'
import type { LookedThrough, Run } from './looked-through.js'

const RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** The commands that find runs on what it finds. */
export function runsOfFind(rest: readonly CommandWord[]): LookedThrough | undefined {
  const runs: Run[] = []
  for (let at = 0; at < rest.length; at++) {
    if (!RUNS.has(rest[at]?.text ?? '')) continue
    const start = at + 1
    while (at < rest.length && !isEnd(rest, at)) at++
    runs.push({ words: rest.slice(start, at).map(listed) })
  }
  return runs.length === 0 ? undefined : { wrapper: 'transparent', runs }
}

function isEnd(words: readonly CommandWord[], at: number): boolean {
  const text = words[at]?.text
  return text === ';' || (text === '+' && words[at - 1]?.text === '{}')
}

function listed(word: CommandWord): CommandWord {
  return word.text.includes('{}') && word.kind === 'static' ? { ...word, kind: 'listed' } : word
}
