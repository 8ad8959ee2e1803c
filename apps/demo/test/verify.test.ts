import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { verify } from '../src/play/play-all.js'

it('says what is wrong when there is no session to verify', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nacre-demo-verify-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const place = { model: 'any', window: 1, project: folder, home: folder, flags: {} }
  await expect(verify(place, 'nowhere')).rejects.toThrow(/^nacre verify did not get to the log: .*nowhere/)
})
