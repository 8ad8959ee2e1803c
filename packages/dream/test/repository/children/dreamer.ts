import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isProcessAlive } from '@nacre/core/node'
import { acquireConsolidation, type ConsolidationEffects } from '../../../src/repository/consolidate-lock.js'

/** The lock as it is often made: look, write, and read back who has it. */
export async function writeAndReadBack(folder: string, { now, isAlive }: ConsolidationEffects): Promise<boolean> {
  const path = join(folder, '.consolidate-lock')
  const isOld = now() - statSync(path).mtimeMs > 60 * 60 * 1000
  if (!isOld || isAlive(Number(readFileSync(path, 'utf8')))) return false
  writeFileSync(path, `${process.pid}\n`)
  return Number(readFileSync(path, 'utf8')) === process.pid
}

// As a process of its own: takes the lock in one of both ways, and says what came of it.
const [script = '', folder = '', way = '', time = ''] = process.argv.slice(1)
if (script.endsWith('dreamer.mjs')) {
  const now = () => Number(time)
  if (way === 'acquire') {
    const answer = await acquireConsolidation(folder, { now, isAlive: isProcessAlive })
    process.stdout.write('refused' in answer ? answer.refused : 'acquired')
  } else {
    const isOurs = await writeAndReadBack(folder, { now, isAlive: () => false })
    process.stdout.write(isOurs ? 'acquired' : 'refused')
  }
  process.exit()
}
