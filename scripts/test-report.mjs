import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { cache, root } from './environment.mjs'

export const testReport = join(cache, 'vitest.json')

/** @typedef {{ name: string, status: string, assertionResults: { status: string }[] }} TestFile */

/** What vitest counted. A test file that could not even be loaded counts as one failed test. */
export function countTests(file = testReport) {
  const report = readReport(file)
  if (!report) return { passed: 0, failed: 0, skipped: 0 }
  const unloaded = report.testResults.filter(
    ({ status, assertionResults: tests }) => status === 'failed' && tests.length === 0,
  )
  const skipped = report.testResults.flatMap(skippedIn).length
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length, skipped }
}

/** The files with tests that were not run, with the number of those and of all in the file. */
export function skippedTests(file = testReport, folder = root) {
  const files = readReport(file)?.testResults ?? []
  return files
    .map((each) => ({
      file: relative(folder, each.name),
      skipped: skippedIn(each).length,
      all: each.assertionResults.length,
    }))
    .filter(({ skipped }) => skipped > 0)
    .sort((one, other) => (one.file < other.file ? -1 : 1))
}

/** @param {TestFile} file */
function skippedIn({ assertionResults }) {
  return assertionResults.filter(({ status }) => ['skipped', 'pending', 'todo', 'disabled'].includes(status))
}

/**
 * @param {string} file
 * @returns {{ numPassedTests: number, numFailedTests: number, testResults: TestFile[] } | undefined}
 */
function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
