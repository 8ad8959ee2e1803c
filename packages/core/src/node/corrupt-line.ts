import { NacreError } from '../nacre-error.js'
import type { LogBytes } from './log-bytes.js'
import { linesForwards } from './log-lines.js'

/** Names the line that is broken. It is counted only now: a read that starts at a checkpoint knows offsets alone. */
export async function corruptLine({ path, read }: LogBytes, offset: number): Promise<NacreError> {
  let number = 1
  for await (const _ of linesForwards(read, 0, offset)) number++
  const advice = 'Something else wrote there. Restore the file, or remove the line and open the session again.'
  return new NacreError('STORE_CORRUPT', `${path}, line ${number}: this is no batch of entries. ${advice}`)
}
