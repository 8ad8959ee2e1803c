import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = new URL('./', import.meta.url)
const rules = readFileSync(new URL('../../docs/rules.md', folder), 'utf8')
const numbered = [...rules.matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, number]) => number)
const tests = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
const named = tests.flatMap((name) =>
  [...readFileSync(new URL(name, folder), 'utf8').matchAll(/['"`]\[([A-Z]\d+)\]/g)].map(([, number]) => number),
)

describe('docs/rules.md', () => {
  it('numbers its rules once each', () => {
    expect(numbered.length).toBeGreaterThan(100)
    expect(numbered).toEqual([...new Set(numbered)])
  })

  it('has a test for every number', () => {
    expect(numbered.filter((number) => !named.includes(number))).toEqual([])
  })

  it('has every number that a test names', () => {
    expect(named.filter((number) => !numbered.includes(number))).toEqual([])
  })
})
