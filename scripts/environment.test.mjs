import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cache, childEnvironment, root } from './environment.mjs'

describe('childEnvironment', () => {
  it('puts our pnpm and our tools before those of the machine', () => {
    const path = childEnvironment({ PATH: 'theirs' }).PATH?.split(delimiter)
    expect(path).toEqual([join(cache, 'pnpm', 'node_modules', '.bin'), join(root, 'node_modules', '.bin'), 'theirs'])
  })

  it('leaves caches where they are, and the home folder as it was', () => {
    const home = mkdtempSync(join(tmpdir(), 'nacre-home-'))
    expect(childEnvironment({ HOME: home }).npm_config_cache).toBeUndefined()
    expect(readdirSync(home)).toEqual([])
    rmSync(home, { recursive: true })
  })

  it('moves caches into the project when the home folder is none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'nacre-home-'))
    const home = join(folder, 'file')
    writeFileSync(home, '')
    const environment = childEnvironment({ HOME: home })
    expect(environment.npm_config_cache).toBe(join(cache, 'npm'))
    expect(environment.npm_config_store_dir).toBe(join(cache, 'store'))
    rmSync(folder, { recursive: true })
  })
})
