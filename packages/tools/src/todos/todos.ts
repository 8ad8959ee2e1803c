import { type Command, definePlugin, type Plugin, type Restored, type Restorer, type View } from '@nacre/core'
import { z } from 'zod'
import { stateEntry } from '../conversation.js'
import { defineTool } from '../define-tool.js'
import { headOf } from '../text.js'

const OWNER = 'todos'

export interface TodosOptions {
  /** Answers without a change of the list after which the flag `todos.reminder` reminds of it; 10 unless told. */
  readonly remindAfter?: number
}

/** A todo list that the model keeps, that survives folds and resumes, and that people can look at. */
export function todos({ remindAfter = 10 }: TodosOptions = {}): Plugin<'reminder'> {
  return definePlugin({
    name: OWNER,
    scope: 'sessions',
    // Off: words behind tool results teach a model to end its turn there.
    flags: { reminder: false },
    setup({ flag }) {
      return {
        tools: [todoTool],
        restorers: [todosRestorer],
        commands: [todosCommand],
        hooks: {
          async PreModelCall({ view }, { note, store }) {
            const last = flag('reminder') ? lastAnswer(view) : undefined
            if (last === undefined || !hasOpen(readTodos(view)) || staleTurns(view) < remindAfter) return
            note({
              text: 'The todo list has open items and was not changed for a while.',
              trust: 'runtime',
              tag: OWNER,
            })
            await store.append([stateEntry(OWNER, 'reminded', last)])
          },
        },
      }
    },
  })
}

const todosCommand: Command = {
  name: 'todos',
  help: 'Shows the todo list.',
  run: (_args, { view }) => checkList(readTodos(view())) || 'The todo list is empty.',
}

/** Brings the list back with each fold: in force as long as something is open, else as a record. */
const todosRestorer: Restorer = {
  name: 'todos',
  isFirst: true,
  restore({ view }) {
    const todos = readTodos(view)
    if (todos.length === 0) return []
    const shorten = (tokens: number) => shortened(todos, tokens)
    return [{ what: 'todo list', text: checkList(todos), status: hasOpen(todos) ? 'live' : 'consumed', shorten }]
  },
}

/** What is open first, and as much as fits of what is done. */
function shortened(todos: readonly Todo[], tokens: number): Pick<Restored, 'text' | 'cut'> | undefined {
  const isOpen = ({ status }: Todo) => status !== 'completed'
  const sorted = [...todos.filter(isOpen), ...todos.filter((each) => !isOpen(each))]
  const { lines } = headOf(checkList(sorted).split('\n'), tokens - MARKER_TOKENS, { rest: '' })
  if (lines.length === 0) return undefined
  const cut = `${lines.length} of ${todos.length} items`
  return { text: [...lines, `(${cut}, those that are open first. The others found no room here.)`].join('\n'), cut }
}

const MARKER_TOKENS = 30

const DESCRIPTION = `Keeps the todo list of this session. Each call gives the whole list, which replaces the one before it.
Worth it for work of three steps or more; not for a single step or a question.
Set an item to in_progress when you begin it, one at a time, and to completed as soon as it is done, not in batches at the end. Completed means done and checked: what failed or is half done stays open. Take out what is no longer needed. An empty list clears it.`

const status = z.enum(['pending', 'in_progress', 'completed'])

const todo = z.object({
  content: z.string().trim().min(1).max(500).describe('What is to be done, in a few words.'),
  status,
})

/** The whole list. Work goes on one thing at a time, so no more than one item is in progress. */
const todoList = z
  .array(todo)
  .max(100)
  .refine((items) => items.filter((item) => item.status === 'in_progress').length <= 1, {
    message: 'At most one item may be in_progress. Set the others to pending or completed.',
  })

/** Keeps the list as state of the session. Read-only in the sense of permissions: nothing outside of the session changes. */
export const todoTool = defineTool({
  name: 'Todo',
  description: DESCRIPTION,
  input: z.object({ todos: todoList.describe('The whole list, in the order of work.') }),
  traits: { isReadOnly: true, isConcurrencySafe: false, isCompactable: false },
  title: ({ todos }) => (todos.length === 0 ? 'Clear the todo list' : `Todo list (${doneOf(todos)})`),
  async run({ todos }, { store }) {
    await store?.append([stateEntry(OWNER, 'list', todos)])
    return todos.length === 0 ? 'The todo list is empty.' : `The todo list is kept: ${doneOf(todos)}.`
  },
  show: ({ todos }) => (todos.length === 0 ? 'The todo list is empty.' : checkList(todos)),
})

function doneOf(todos: readonly Todo[]): string {
  return `${todos.filter(({ status }) => status === 'completed').length} of ${todos.length} done`
}

/** One item of the list. */
export type Todo = Readonly<z.output<typeof todo>>

const MARKS: Readonly<Record<Todo['status'], string>> = { pending: '[ ]', in_progress: '[>]', completed: '[x]' }

/** The list with a box before each item: open, at work, done. */
function checkList(todos: readonly Todo[]): string {
  return todos.map(({ content, status }) => `${MARKS[status]} ${content}`).join('\n')
}

/** The list as it stands in the view: a rewind takes it back, a resume brings it back. */
function readTodos(view: Pick<View, 'state'>): readonly Todo[] {
  return (view.state(OWNER, 'list') as readonly Todo[] | undefined) ?? []
}

/** Whether something is left to do. */
function hasOpen(todos: readonly Todo[]): boolean {
  return todos.some(({ status }) => status !== 'completed')
}

/** How many answers were given since the model last wrote the list, or was last reminded of it. */
function staleTurns(view: View): number {
  const reminded = view.state(OWNER, 'reminded')
  let turns = 0
  for (const { entries } of view.rounds.toReversed()) {
    for (const entry of entries.toReversed()) {
      if (entry.kind !== 'assistant') continue
      if (entry.id === reminded || entry.content.some(({ type, name }) => type === 'tool_use' && name === 'Todo'))
        return turns
      turns += 1
    }
  }
  return turns
}

/** The last answer in view. */
function lastAnswer({ rounds }: View): string | undefined {
  return rounds.flatMap(({ entries }) => entries).findLast(({ kind }) => kind === 'assistant')?.id
}
