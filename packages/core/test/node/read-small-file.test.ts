import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, open, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSettings, readSmallFile, readUpTo } from '../../src/node/index.js'
import { temporaryHome } from './temporary-home.js'

/** What strangers may put where settings are expected. */
const ODD: Readonly<Record<string, readonly [RegExp, (path: string) => unknown]>> = {
  'a pipe that nobody writes into': [/it is a pipe, not a regular file/, (path) => execFileSync('mkfifo', [path])],
  'a link to a device that never ends': [/it is a device, not/, (path) => symlink('/dev/zero', path)],
  'a folder': [/it is a folder, not/, (path) => mkdir(path)],
  'a file of 60 MB': [/larger than 1000000 bytes/, (path) => writeFile(path, ' ').then(() => truncate(path, 60e6))],
  ...(existsSync('/proc/self/pagemap') && {
    'a file that reports no size and does not end': [
      /larger than 1000000 bytes/,
      (path) => symlink('/proc/self/pagemap', path),
    ],
  }),
}

describe.skipIf(process.platform === 'win32')('in the place of settings', () => {
  it.each(Object.entries(ODD))('%s is told with its path and what to do', async (name, [reason, make]) => {
    const path = join(temporaryHome(), `${name}.json`)
    await make(path)
    const error = await readSettings(path).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'INVALID_SETTINGS', message: expect.stringMatching(reason) })
    expect(error).toMatchObject({ message: expect.stringContaining(`${path} can not be read (`) })
    expect(error).toMatchObject({ message: expect.stringContaining('Mend it, or move it away.') })
  })
})

describe('a small file', () => {
  it('is read whole, also where it reports no size', async () => {
    const path = join(temporaryHome(), 'settings.json')
    await writeFile(path, 'é'.repeat(200_000))
    expect((await readSmallFile(path))?.toString()).toBe('é'.repeat(200_000))
    if (existsSync('/proc/self/status')) expect((await readSmallFile('/proc/self/status'))?.length).toBeGreaterThan(0)
  })

  it('that is not there is none, and neither is one below a file', async () => {
    const folder = temporaryHome()
    await appendFile(join(folder, 'a file'), '')
    expect(await readSmallFile(join(folder, 'nothing'))).toBeUndefined()
    expect(await readSmallFile(join(folder, 'a file', 'below'))).toBeUndefined()
  })

  it('has the limit that it is given, to the byte', async () => {
    const path = join(temporaryHome(), 'ten')
    await writeFile(path, '0123456789')
    expect((await readSmallFile(path, { most: 10 }))?.length).toBe(10)
    await expect(readSmallFile(path, { most: 9 })).rejects.toThrow('larger than 9 bytes')
  })

  it('is not read on after an interrupt', async () => {
    const path = join(temporaryHome(), 'interrupted')
    await writeFile(path, 'text')
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(readSmallFile(path, { signal })).rejects.toThrow('stopped')
  })
})

it.skipIf(!existsSync('/proc/self/pagemap'))('a file without an end can be interrupted while it is read', async () => {
  const handle = await open('/proc/self/pagemap')
  onTestFinished(() => handle.close())
  const stop = new AbortController()
  const reading = readUpTo(handle, Number.POSITIVE_INFINITY, stop.signal)
  setImmediate(() => stop.abort(new Error('stopped')))
  await expect(reading).rejects.toThrow('stopped')
})
