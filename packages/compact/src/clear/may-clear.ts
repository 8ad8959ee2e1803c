import type { Need } from '@nacre/core'
import type { Settings } from '../settings.js'

/** What was agreed on, looked up to be kept, or said by a person: never cleared, whatever its tool says of itself. */
const KEPT = new Set(['ask', 'todo', 'todos', 'skill', 'skills', 'memory', 'memories'])

/** Whether old results of a tool may be cleared. */
export function mayClear(name: string, need: Need, { exclude }: Settings): boolean {
  if (name.startsWith('mcp__') || exclude.includes(name) || need.tool(name)?.isCompactable !== true) return false
  return !wordsOf(name).some((word) => KEPT.has(word))
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}
