import { type Command, definePlugin, type HookContext, type Plugin, type SetupContext, type View } from '@nacre/core'
import { checkList } from './check-list.js'
import { lastAnswer, staleTurns } from './stale-turns.js'
import { todoTool } from './todo-tool.js'
import { todosRestorer } from './todos-restorer.js'
import { hasOpen, OWNER, readTodos, todosEntry } from './todos-state.js'

export interface TodosOptions {
  /** Answers without a change of the list after which the flag `todos.reminder` reminds of it; 10 unless told. */
  readonly remindAfter?: number
}

/** A todo list that the model keeps, that survives folds and resumes, and that people can look at. */
export function todos({ remindAfter = 10 }: TodosOptions = {}): Plugin<'reminder'> {
  return definePlugin({
    name: OWNER,
    // Off: words behind tool results teach a model to end its turn there.
    flags: { reminder: false },
    setup({ flag, store }) {
      return {
        tools: [todoTool],
        restorers: [todosRestorer],
        commands: [todosCommand],
        hooks: {
          async PreModelCall({ view }, context) {
            if (flag('reminder')) await remind({ view, store, remindAfter }, context)
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

interface Reminding {
  readonly view: View
  readonly store: SetupContext['store']
  readonly remindAfter: number
}

async function remind({ view, store, remindAfter }: Reminding, { note }: HookContext): Promise<void> {
  const last = lastAnswer(view)
  if (last === undefined || !hasOpen(readTodos(view)) || staleTurns(view) < remindAfter) return
  note({ text: 'The todo list has open items and was not changed for a while.', trust: 'runtime', tag: OWNER })
  await store.append([todosEntry('reminded', last)])
}
