import { CHECKS, type ConformanceReport, type Finding } from './finding.js'

const SHOWN = 20

/** Throws with every finding of a report, or with the first ones of very many; does nothing where there is none. */
export function assertConforms({ findings, runs }: ConformanceReport): void {
  if (findings.length === 0) return
  const more = findings.length > SHOWN ? `\n… and ${findings.length - SHOWN} more` : ''
  const lines = findings.slice(0, SHOWN).map(lineOf).join('\n')
  throw new Error(`The plugin does not conform: ${findings.length} findings in ${runs} runs.\n${lines}${more}`)
}

function lineOf({ check, seed, play, step, detail }: Finding): string {
  return `- ${check} (${CHECKS[check]}): ${detail} [seed ${seed}, ${play}, step ${step}]`
}
