import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countTests } from './test-report.mjs'

describe('countTests', () => {
  it('counts a file that can not be loaded as a failed test', () => {
    const folder = mkdtempSync(join(tmpdir(), 'nacre-report-'))
    const file = join(folder, 'report.json')
    const testResults = [
      { status: 'passed', assertionResults: [{}, {}] },
      { status: 'failed', assertionResults: [{}] },
      { status: 'failed', assertionResults: [] },
    ]
    writeFileSync(file, JSON.stringify({ numPassedTests: 2, numFailedTests: 1, testResults }))
    expect(countTests(file)).toEqual({ passed: 2, failed: 2 })
    rmSync(folder, { recursive: true })
  })

  it('counts nothing when vitest left no report', () => {
    expect(countTests('no-such-file.json')).toEqual({ passed: 0, failed: 0 })
  })
})
