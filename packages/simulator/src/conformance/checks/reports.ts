import type { Played } from '../act.js'
import type { Problem } from '../finding.js'

/** What the session had to report of the plugin: that it could not be disposed, and in a calm conversation any failure. */
export function reports({ reports: all }: Played, plugin: string, isCalm: boolean): readonly Problem[] {
  return all.flatMap(({ plugin: owner, isOfDispose, step, message }): readonly Problem[] => {
    if (owner !== plugin) return []
    if (isOfDispose) return [{ check: 'disposes', step, detail: message }]
    return isCalm ? [{ check: 'hooks-hold', step, detail: message }] : []
  })
}
