import type { Restorer } from '@nacre/core'
import { checkList } from './check-list.js'
import { hasOpen, readTodos } from './todos-state.js'

/** Brings the list back with each fold: in force as long as something is open, else as a record. */
export const todosRestorer: Restorer = {
  name: 'todos',
  restore({ view }) {
    const todos = readTodos(view)
    if (todos.length === 0) return []
    return [{ what: 'todo list', text: checkList(todos), status: hasOpen(todos) ? 'live' : 'consumed' }]
  },
}
