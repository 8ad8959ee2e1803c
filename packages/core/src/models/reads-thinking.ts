import { findModel } from './model-table.js'

/** Whether a model reads thinking that another wrote: the same one does, and a newer one; of unknown ones only the same. */
export function readsThinking(reader: string, author: string): boolean {
  if (reader === author) return true
  const [ours, theirs] = [findModel(reader), findModel(author)]
  if (!ours || !theirs) return false
  // What was not bound to a prefix carries no record that a model which binds could check.
  const isChecked = ours.thinking !== 'bound' || theirs.thinking === 'bound'
  return ours === theirs || (isChecked && ours.released > theirs.released)
}
