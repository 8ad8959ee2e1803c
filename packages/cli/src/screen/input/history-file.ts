import { join } from 'node:path'
import { dataPlace } from '../../session/data-place.js'
import type { Terminal } from '../../terminal.js'

/** Where prompts are remembered. */
export function historyFile(terminal: Terminal): string {
  return join(dataPlace(terminal), 'history.jsonl')
}
