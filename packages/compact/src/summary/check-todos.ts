import type { Receipt, View } from '@nacre/core'
import { findSections } from './find-sections.js'
import { normalised } from './normalised.js'
import { openTodos } from './open-todos.js'
import { PENDING_TASKS } from './section-titles.js'

type Check = Receipt['checks'][number]

/** Adds the open todos to the section of pending tasks where that lacks them. */
export function checkTodos(
  summary: string,
  view: Pick<View, 'state'>,
  titles: readonly string[],
): { readonly text: string; readonly missing: readonly string[]; readonly check: Check } {
  const open = openTodos(view)
  const section = findSections(summary, titles).find(({ number }) => number === PENDING_TASKS)
  const pending = normalised(section ? summary.slice(section.body, section.end) : '')
  const missing = open.filter((todo) => !pending.includes(normalised(todo)))
  const detail =
    missing.length === 0 ? `${open.length} open` : `${missing.length} of ${open.length} open ones were added`
  const check = { name: 'todos', ok: true, detail }
  return { text: missing.length > 0 && section ? added(summary, section.end, missing) : summary, missing, check }
}

function added(summary: string, end: number, todos: readonly string[]): string {
  const lines = todos.map((todo) => `- ${todo}`).join('\n')
  return `${summary.slice(0, end).trimEnd()}\n${lines}\n\n${summary.slice(end)}`
}
