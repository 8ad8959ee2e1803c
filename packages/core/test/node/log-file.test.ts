import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { logFile } from '../../src/node/log-file.js'
import { mendLog } from '../../src/node/read-log.js'
import type { Entry } from '../../src/types/log.js'
import { folded, idsOf, user } from './entries.js'
import { temporaryHome } from './temporary-home.js'

/** A file whose disk fills up after so many bytes of an append, when told to, and that counts syncs. */
function failingFile() {
  const control: { room: number | undefined; syncs: number; syncFails: boolean } = {
    room: undefined,
    syncs: 0,
    syncFails: false,
  }
  const openFile = async (path: string) => {
    const handle = await open(path, 'a', 0o600)
    return {
      appendFile: async (data: Buffer | string) => {
        await handle.appendFile(
          control.room === undefined ? data : Buffer.from(data as Buffer).subarray(0, control.room),
        )
        if (control.room !== undefined) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      },
      datasync: async () => {
        control.syncs++
        if (control.syncFails) throw Object.assign(new Error('lost'), { code: 'EIO' })
      },
      stat: () => handle.stat(),
      sync: () => handle.sync(),
      close: () => handle.close(),
    }
  }
  return { control, openFile: openFile as unknown as typeof open }
}

const syncs = (batch: readonly Entry[]) => batch.some(({ kind }) => kind === 'edit')

it('leaves nothing of a batch for which the disk had no room', async () => {
  const path = join(temporaryHome(), 'log.jsonl')
  const { control, openFile } = failingFile()
  const log = logFile({ path, tail: await mendLog(path), syncs, openFile })
  await log.append([user('a')])
  for (const room of [0, 1, 40]) {
    control.room = room
    await expect(log.append([user('lost', 'x'.repeat(100))])).rejects.toMatchObject({ code: 'STORE_UNWRITABLE' })
    expect(await idsOf(log.read())).toEqual(['a'])
  }
  control.room = undefined
  await log.append([user('b')])
  expect(await idsOf(log.read())).toEqual(['a', 'b'])
  await log.close()
  expect((await mendLog(path)).torn).toBe(0)
})

it('takes back a fold that did not reach the disk', async () => {
  const path = join(temporaryHome(), 'log.jsonl')
  const { control, openFile } = failingFile()
  const log = logFile({ path, tail: await mendLog(path), syncs, openFile })
  await log.append([user('a')])
  expect(control.syncs).toBe(0)
  control.syncFails = true
  await expect(log.append([...folded('f', 'a')])).rejects.toMatchObject({ code: 'STORE_UNWRITABLE' })
  expect(control.syncs).toBe(1)
  await log.append([user('b')])
  expect(await idsOf(log.read())).toEqual(['a', 'b'])
  await log.close()
})
