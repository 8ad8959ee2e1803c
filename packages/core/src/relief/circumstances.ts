import type { Need } from '../contract/relief.js'
import type { ReliefParts } from './relief-parts.js'

/** What every relief is told of the session. */
export function circumstances(parts: ReliefParts): Pick<Need, 'model' | 'pace' | 'tool'> {
  return { model: parts.model(), pace: parts.pace(), tool: parts.tool }
}
