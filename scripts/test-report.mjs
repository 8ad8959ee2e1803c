import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cache } from './environment.mjs'

export const testReport = join(cache, 'vitest.json')

/** What vitest counted. A test file that could not even be loaded counts as one failed test. */
export function countTests(file = testReport) {
  if (!existsSync(file)) return { passed: 0, failed: 0 }
  const report = JSON.parse(readFileSync(file, 'utf8'))
  /** @type {{ status: string, assertionResults: unknown[] }[]} */
  const files = report.testResults
  const unloaded = files.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length }
}
