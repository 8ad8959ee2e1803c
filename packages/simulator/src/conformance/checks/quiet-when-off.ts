import type { Played } from '../act.js'
import type { Problem } from '../finding.js'

/** Switched off while the session runs, a plugin writes nothing more into the log. */
export function quietWhenOff({ act, entries, loggedWhenOff }: Played, plugin: string): readonly Problem[] {
  const late = entries.slice(loggedWhenOff ?? entries.length).filter(({ owner }) => owner === plugin)
  return late.slice(0, 1).map(({ kind, changes, key }) => {
    const what = changes ? `an edit (${changes.map((change) => change.kind).join(', ')})` : `${kind} ${key ?? ''}`
    return {
      check: 'off-adds-nothing',
      step: act.off?.from ?? 0,
      detail: `it was switched off, and then wrote ${what}`,
    }
  })
}
