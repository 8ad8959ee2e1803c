import { z } from 'zod'
import { defineTool } from '../define-tool.js'
import { checkList } from './check-list.js'
import { todoList } from './todo.js'
import { todosEntry } from './todos-state.js'

const DESCRIPTION = `Keeps the todo list of this session. Each call gives the whole list, which replaces the one before it.
Worth it for work of three steps or more; not for a single step or a question.
Set an item to in_progress when you begin it, one at a time, and to completed as soon as it is done, not in batches at the end. Completed means done and checked: what failed or is half done stays open. Take out what is no longer needed. An empty list clears it.`

/** Keeps the list as state of the session. Read-only in the sense of permissions: nothing outside of the session changes. */
export const todoTool = defineTool({
  name: 'Todo',
  description: DESCRIPTION,
  input: z.object({ todos: todoList.describe('The whole list, in the order of work.') }),
  traits: { isReadOnly: true, isConcurrencySafe: false, isCompactable: false },
  title: ({ todos }) => (todos.length === 0 ? 'Clear the todo list' : `Todo list (${doneOf(todos)})`),
  async run({ todos }, { store }) {
    await store?.append([todosEntry('list', todos)])
    return todos.length === 0 ? 'The todo list is empty.' : `The todo list is kept: ${doneOf(todos)}.`
  },
  show: ({ todos }) => (todos.length === 0 ? 'The todo list is empty.' : checkList(todos)),
})

function doneOf(todos: z.output<typeof todoList>): string {
  return `${todos.filter(({ status }) => status === 'completed').length} of ${todos.length} done`
}
