import type { View } from '@nacre/core'

/** What is left to do by the list that a plugin may keep; a list of another shape holds nothing. */
export function openTodos(view: Pick<View, 'state'>): string[] {
  const list = view.state('todos', 'list')
  if (!Array.isArray(list)) return []
  return (list as readonly unknown[]).flatMap((item) => {
    const { content, status }: { readonly content?: unknown; readonly status?: unknown } = Object(item)
    return typeof content === 'string' && content.trim() !== '' && status !== 'completed' ? [content.trim()] : []
  })
}
