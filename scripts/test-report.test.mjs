import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countTests, skippedTests } from './test-report.mjs'

const passed = { status: 'passed' }
const failed = { status: 'failed' }
const skipped = { status: 'skipped' }
const testResults = [
  { name: '/p/test/b.test.ts', status: 'passed', assertionResults: [passed, skipped, skipped] },
  { name: '/p/test/a.test.ts', status: 'failed', assertionResults: [failed, passed] },
  { name: '/p/test/broken.test.ts', status: 'failed', assertionResults: [] },
  { name: '/p/scripts/c.test.mjs', status: 'passed', assertionResults: [{ status: 'pending' }, { status: 'todo' }] },
]
let folder = ''
let file = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nacre-report-'))
  file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify({ numPassedTests: 2, numFailedTests: 1, testResults }))
})

afterEach(() => rmSync(folder, { recursive: true }))

describe('countTests', () => {
  it('counts a file that can not be loaded as a failed test, and what was not run', () => {
    expect(countTests(file)).toEqual({ passed: 2, failed: 2, skipped: 4 })
  })

  it('counts nothing when vitest left no report', () => {
    expect(countTests('no-such-file.json')).toEqual({ passed: 0, failed: 0, skipped: 0 })
  })
})

describe('skippedTests', () => {
  it('names each file with tests that were not run, and how many', () => {
    expect(skippedTests(file, '/p')).toEqual([
      { file: join('scripts', 'c.test.mjs'), skipped: 2, all: 2 },
      { file: join('test', 'b.test.ts'), skipped: 2, all: 3 },
    ])
  })

  it('names nothing when vitest left no report', () => {
    expect(skippedTests('no-such-file.json')).toEqual([])
  })
})
