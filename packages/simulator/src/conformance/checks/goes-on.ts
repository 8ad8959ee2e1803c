import type { Played } from '../act.js'
import type { Problem } from '../finding.js'

/** What nobody has stopped or spoilt comes to its end, whatever happened before it. */
export function goesOn({ ends }: Played): readonly Problem[] {
  const stuck = ends.filter(({ reason, isDisturbed }) => !isDisturbed && reason !== 'done')
  return stuck.map(({ step, reason, error }) => {
    return { check: 'goes-on', step, detail: `the query ended with '${reason}'${error && `: ${error}`}` }
  })
}
