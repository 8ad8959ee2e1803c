import { createHash } from 'node:crypto'
import type { View } from '@nacre/core'

/** The todo list of the session, if a plugin keeps one. Plans work without it. */
export interface TodosNow {
  readonly hash: string
  readonly areAllDone: boolean
}

/** Reads the state that the plugin `todos` keeps. */
export function todosNow(view: Pick<View, 'state'> | undefined): TodosNow {
  const list = view?.state('todos', 'list')
  const items = Array.isArray(list) ? (list as readonly { readonly status?: unknown }[]) : []
  return {
    hash: createHash('sha256').update(JSON.stringify(items)).digest('hex').slice(0, 16),
    areAllDone: items.length > 0 && items.every(({ status }) => status === 'completed'),
  }
}
