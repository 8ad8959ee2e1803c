const BOX = /^\s*(?:[-*] )?\[([ >~])\] (.+)$/gm
const CLOSED_BOX = /^\s*(?:[-*] )?\[x\] /im

/** What is not done on the todo list that an input or a text holds; `undefined` where it holds none. */
export function openTodos(source: unknown): readonly string[] | undefined {
  if (typeof source === 'string') return fromText(source)
  const todos = typeof source === 'object' && source !== null && 'todos' in source ? source.todos : undefined
  if (!Array.isArray(todos)) return undefined
  return todos.flatMap((todo) => {
    const { content, status } = (todo ?? {}) as { readonly content?: unknown; readonly status?: unknown }
    return typeof content === 'string' && status !== 'completed' ? [`${content} (${status ?? 'open'})`] : []
  })
}

function fromText(text: string): readonly string[] | undefined {
  const open = [...text.matchAll(BOX)].map(
    ([, mark, words]) => `${words} (${mark === ' ' ? 'pending' : 'in_progress'})`,
  )
  return open.length > 0 || CLOSED_BOX.test(text) ? open : undefined
}
