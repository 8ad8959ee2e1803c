import type { Json, Need, Round, View } from '@nacre/core'
import type { Answer } from './answer.js'
import { oneLine } from './one-line.js'
import { readDigest } from './read-digest.js'
import { type WorkLedger, workLedger } from './work-ledger.js'

/** What a digest is made of, all of it from the view and oldest first. */
export interface DigestMaterial {
  readonly ledger: WorkLedger
  readonly todos: readonly string[]
  readonly answers: readonly Answer[]
  /** What folds before this one have said. */
  readonly earlier: readonly string[]
}

/** Gathers what happened in rounds, with what earlier folds among them have kept. */
export function digestMaterial(view: View, rounds: readonly Round[], tool: Need['tool']): DigestMaterial {
  const digests = rounds.map(({ content = [] }) => readDigest(content))
  const ledgers = digests.flatMap(({ ledger }) => (ledger ? [ledger] : []))
  return {
    ledger: workLedger(view, rounds, tool, ledgers),
    todos: todosOf(view.state('todos', 'list')),
    answers: [...digests.flatMap(({ answers }) => answers), ...answersIn(view, rounds)],
    earlier: digests.flatMap(({ earlier }) => earlier),
  }
}

function answersIn(view: View, rounds: readonly Round[]): Answer[] {
  const entries = rounds.flatMap((round) => round.entries).filter(({ kind }) => kind === 'assistant')
  return entries.flatMap(({ id, content }) => {
    const shown = content.flatMap((_, block) => view.shown({ entry: id, block }))
    const text = shown
      .flatMap((block) => (block.type === 'text' ? [String(block.text)] : []))
      .join('\n')
      .trim()
    return text === '' ? [] : [{ entry: id, text }]
  })
}

/** The list belongs to another plugin, if there is one: nothing of its form is taken for granted. */
function todosOf(list: Json | undefined): string[] {
  const items: readonly unknown[] = Array.isArray(list) ? list : []
  return items.flatMap((item) => {
    const { content, status } = Object(item) as { readonly content?: unknown; readonly status?: unknown }
    return typeof content === 'string' ? [`[${oneLine(String(status ?? 'pending'), 20)}] ${oneLine(content)}`] : []
  })
}
