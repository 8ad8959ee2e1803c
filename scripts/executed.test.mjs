import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { executedFiles } from './executed.mjs'

const files = {
  'packages/house/src/index.ts': "export { open } from './door.js'\nexport { ready } from './bell.js'\n",
  'packages/house/src/door.ts': `import type { Key } from './key.js'
import { turn } from './lock/lock.js'
export const open = async (key: Key): Promise<string> => turn(key) + (await import('./later.js')).value\n`,
  'packages/house/src/lock/lock.tsx': 'export function turn(key: { name: string }): string { return key.name }\n',
  'packages/house/src/key.ts': 'export interface Key { readonly name: string }\n',
  'packages/house/src/bell.ts': 'const ring = () => true\nexport const ready: boolean = ring()\n',
  'packages/house/src/later.ts': 'export const value: number = 1\n',
  'packages/house/src/guest.ts': 'export function come(): void {}\n',
  'packages/simulator/src/index.ts': 'export function answer(): void {}\n',
  'journey.mjs': `import { open } from './packages/house/src/index.js'
import { come } from './packages/house/src/guest.js'
import { answer } from './packages/simulator/src/index.js'
export async function prepare() {
  come()
  return async () => {
    answer()
    await open({ name: 'key' })
  }
}\n`,
}

let folder = ''

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'nacre-executed-')))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('counts files with a call in the journey: not what is only loaded, called before it, or the server', async () => {
  expect(await executedFiles(folder, join(folder, 'journey.mjs'))).toEqual(['house/door.ts', 'house/lock/lock.tsx'])
})

it('fails with what a journey throws', async () => {
  writeFileSync(join(folder, 'journey.mjs'), "export const prepare = async () => { throw new Error('no way') }\n")
  await expect(executedFiles(folder, join(folder, 'journey.mjs'))).rejects.toThrow('no way')
})
