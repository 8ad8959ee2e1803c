import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scripted } from '@nacre/simulator'
import { expect, it } from 'vitest'
import { program } from '../support/program.js'
import { stage } from './support.js'

it('names the file of a plugin that throws where nobody waits for it, in one line, and keeps the session', async () => {
  const { place } = await stage(scripted(['Here I am.', 'Still here.']))
  const hooks = '{ PostModelCall: () => void setImmediate(() => { throw new Error("stray") }) }'
  const file = join(place.cwd, 'stray.mjs')
  await writeFile(file, `export const stray = { name: 'stray', setup: () => ({ hooks: ${hooks} }) }\n`)
  await writeFile(join(place.cwd, 'stray.json'), JSON.stringify({ plugins: [file] }))
  const { code, stderr } = await program.run(['-p', 'Hi', '--settings', 'stray.json'], place)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^nacre: stray \(thrown at \S*stray\.mjs:1:\d+, where nobody waited for it\)\n$/)
  expect(await program.run(['-p', 'Still there?', '--continue'], place)).toMatchObject({ code: 0 })
})
