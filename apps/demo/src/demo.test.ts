import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { checkClaims } from './expectations.js'
import { play, type Run, variants } from './runs.js'
import { writeProject } from './story.js'
import { painter, table } from './table.js'

it('keeps every claim, and gives a cost and a reason for each run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nacre-demo-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeProject(folder)
  const runs: Run[] = []
  for (const variant of variants) runs.push(await play(variant, folder))
  checkClaims(runs)

  const lines = table(runs, painter(false)).split('\n')
  expect(lines).toHaveLength(1 + 2 * variants.length)
  variants.forEach(({ name }, index) => {
    expect(lines[1 + 2 * index]).toMatch(new RegExp(`^${name} .*\\$\\d+\\.\\d{4}  █+$`))
    expect(lines[2 + 2 * index]?.trim().length).toBeGreaterThan(20)
  })
})

it('fails loudly when a claim does not hold', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nacre-demo-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeProject(folder)
  const [first] = variants
  if (!first) throw new Error('There is no variant.')
  const same = await play(first, folder)
  expect(() => checkClaims(variants.map(() => same))).toThrow('most of the input is read from the cache')
})
