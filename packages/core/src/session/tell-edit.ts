import type { Edit } from '../log/edit.js'
import type { Runtime } from './runtime.js'

/** Tells people and plugins of an edit that was accepted. */
export async function tellEdit(
  { hooks, view, emit }: Pick<Runtime, 'hooks' | 'view' | 'emit'>,
  edit: Edit,
): Promise<Edit> {
  emit({ type: 'edit', edit })
  await hooks.collect('ViewChanged', { edit, view: view() })
  return edit
}
