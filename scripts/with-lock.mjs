import { readFileSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Runs `work` while no other process runs under the same lock file. A lock whose owner is gone is taken over.
 * @param {string} file
 * @param {() => void} work
 */
export function withLock(file, work) {
  while (!take(file)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  try {
    work()
  } finally {
    release()
    process.off('exit', release)
  }
}

/** @param {string} file */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    if (!ownerIsAlive(file)) rmSync(file, { force: true })
    return false
  }
}

/** @param {string} file */
function ownerIsAlive(file) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
