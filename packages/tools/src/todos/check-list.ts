import type { Todo } from './todo.js'

const MARKS: Readonly<Record<Todo['status'], string>> = { pending: '[ ]', in_progress: '[>]', completed: '[x]' }

/** The list with a box before each item: open, at work, done. */
export function checkList(todos: readonly Todo[]): string {
  return todos.map(({ content, status }) => `${MARKS[status]} ${content}`).join('\n')
}
