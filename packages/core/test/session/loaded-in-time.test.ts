import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const source = fileURLToPath(new URL('../../src', import.meta.url))

// A program runs for days, and the package below it may be replaced meanwhile.
it('loads nothing late but what it can load in time, and keeps', () => {
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const own = names.filter((name) => !/\.test\.ts$|^testing\b/.test(name))
  const loads = own.flatMap((name) => {
    const text = readFileSync(join(source, name), 'utf8').replaceAll(/typeof import\([^)]*\)/g, '')
    return [...text.matchAll(/(late\(\(\) => )?import\('\.[^']*'\)/g)].map(([, kept]) => ({
      name,
      isKept: kept !== undefined,
    }))
  })
  expect(loads.length).toBeGreaterThan(8)
  expect(loads.filter(({ isKept }) => !isKept)).toEqual([])
})
