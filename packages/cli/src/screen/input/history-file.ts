import { join } from 'node:path'
import type { Terminal } from '../../terminal.js'

/** Where prompts are remembered. Loaded late: the first line of the screen does not wait for it. */
export async function historyFile(terminal: Terminal): Promise<string> {
  const { dataPlace } = await import('../../session/data-place.js')
  return join(dataPlace(terminal), 'history.jsonl')
}
