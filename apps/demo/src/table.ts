import { styleText } from 'node:util'
import type { Run } from './runs.js'

const BAR = 24

export interface Paint {
  bold(text: string): string
  dim(text: string): string
  bar(text: string, share: number): string
}

/** Colours for a terminal, or none. */
export function painter(hasColour: boolean): Paint {
  if (!hasColour) return { bold: (text) => text, dim: (text) => text, bar: (text) => text }
  return {
    bold: (text) => styleText('bold', text),
    dim: (text) => styleText('dim', text),
    bar: (text, share) => styleText(share > 0.66 ? 'red' : share > 0.33 ? 'yellow' : 'green', text),
  }
}

/** A row for each run with its cost as a bar, and under it the reason. */
export function table(runs: readonly Run[], paint: Paint): string {
  const dearest = Math.max(...runs.map(({ totals }) => totals.dollars))
  const width = Math.max(...runs.map(({ variant }) => variant.name.length))
  const heading = `${'run'.padEnd(width)}  requests  from cache     cost`
  const rows = runs.map((run) => {
    const { requests, hitRate, dollars } = run.totals
    const share = dollars / dearest
    const cells = [
      run.variant.name.padEnd(width),
      String(requests).padStart(8),
      `${(hitRate * 100).toFixed(1)}%`.padStart(10),
      `$${dollars.toFixed(4)}`.padStart(8),
      paint.bar('█'.repeat(Math.max(1, Math.round(share * BAR))), share),
    ]
    return `${cells.join('  ')}\n${paint.dim(`  ${run.variant.why(run)}`)}`
  })
  return [paint.bold(heading), ...rows].join('\n')
}
