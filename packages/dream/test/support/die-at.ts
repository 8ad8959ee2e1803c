import fs from 'node:fs'
import fsp from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/** Kills this process at the so-manieth thing that it does to the disk; a write is killed when half of it is there. */
export function dieAt(point: number): void {
  let left = point
  const die = () => process.kill(process.pid, 'SIGKILL')
  const isDue = () => left-- === 0
  for (const name of [
    'rename',
    'link',
    'rm',
    'unlink',
    'mkdir',
    'rmdir',
    'utimes',
    'writeFile',
    'cp',
    'appendFile',
  ] as const) {
    const real: (...args: never[]) => unknown = fsp[name]
    Object.assign(fsp, { [name]: (...args: never[]) => (isDue() ? die() : real.apply(fsp, args)) })
  }
  for (const name of ['renameSync', 'unlinkSync'] as const) {
    const real: (...args: never[]) => unknown = fs[name]
    Object.assign(fs, { [name]: (...args: never[]) => (isDue() ? die() : real.apply(fs, args)) })
  }
  const realOpen = fsp.open
  fsp.open = async (...args) => {
    const handle = await realOpen(...args)
    const realWrite = handle.writeFile.bind(handle)
    handle.writeFile = async (data, ...rest) => {
      if (!isDue()) return realWrite(data, ...rest)
      const bytes = Buffer.from(data as Uint8Array)
      fs.writeSync(handle.fd, bytes, 0, Math.floor(bytes.length / 2))
      die()
    }
    return handle
  }
  syncBuiltinESMExports()
}
