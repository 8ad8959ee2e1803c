import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { build, packageRoot } from './support/build.js'

let folder = ''

beforeAll(async () => {
  folder = await build()
})

describe('memory', () => {
  it('does not grow with the requests seen', async () => {
    // A short form of `npm run soak`, with its own limit: it fails where the heap is over it.
    const soak = [join(packageRoot, 'bench/soak.mjs'), '--few', '500', '--many', '3000']
    const module = ['--module', join(folder, 'index.js')]
    const { stdout } = await promisify(execFile)(process.execPath, [...soak, ...module])
    const [, ratio] = /heap after 3000 requests against 500: .* = ([\d.]+), limit 1\.1, ok\n$/.exec(stdout) ?? []
    expect(Number(ratio)).toBeLessThanOrEqual(1.1)
  })
})
