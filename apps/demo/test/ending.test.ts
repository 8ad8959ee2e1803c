import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MAIN } from './run-demo.js'

/** Starts the demo with an empty folder for temporary files, and waits until it says something of a layer. */
async function started() {
  const folder = await mkdtemp(join(tmpdir(), 'nacre-demo-ending-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const child = spawn(process.execPath, [MAIN, '--report', join(folder, 'page.html')], {
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
  })
  let complaints = ''
  child.stderr.on('data', (data: Buffer) => {
    complaints += data.toString()
  })
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (data: Buffer) => {
      if (data.toString().includes('◆ stored result')) resolve()
    })
  })
  expect(await readdir(folder)).not.toEqual([])
  return { child, folder, complaints: () => complaints }
}

it.runIf(process.platform !== 'win32').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('leaves nothing behind and complains of nothing when it is ended by %s', async (signal, expected) => {
  const { child, folder, complaints } = await started()
  child.kill(signal)
  const [code] = await once(child, 'close')
  expect({ code, complaints: complaints() }).toEqual({ code: expected, complaints: '' })
  expect(await readdir(folder)).toEqual([])
})

it('ends quietly, and leaves nothing behind, when nobody reads on', async () => {
  const { child, folder, complaints } = await started()
  child.stdout.destroy()
  const [code] = await once(child, 'close')
  expect({ code, complaints: complaints() }).toEqual({ code: 0, complaints: '' })
  expect(await readdir(folder)).toEqual([])
})
