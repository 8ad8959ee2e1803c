import type { Json, StateEntry, View } from '@nacre/core'
import type { Todo } from './todo.js'

export const OWNER = 'todos'

/** The list as it stands in the view: a rewind takes it back, a resume brings it back. */
export function readTodos(view: Pick<View, 'state'>): readonly Todo[] {
  return (view.state(OWNER, 'list') as readonly Todo[] | undefined) ?? []
}

/** An entry for `store.append`. The session gives it its own id and time. */
export function todosEntry(key: 'list' | 'reminded', value: Json): StateEntry {
  return { kind: 'state', id: '', time: 0, owner: OWNER, key, value }
}

/** Whether something is left to do. */
export function hasOpen(todos: readonly Todo[]): boolean {
  return todos.some(({ status }) => status !== 'completed')
}
