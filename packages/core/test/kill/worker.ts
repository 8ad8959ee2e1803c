import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { KillPoint } from './kill-point.js'
import type { RecordingProxy } from './recording-proxy.js'

/** What a worker did until its end. */
export interface Worked {
  /** `undefined` when it came to its own end. */
  readonly killedAt: KillPoint | undefined
  /** What it said had happened, in order. */
  readonly lines: readonly (readonly [kind: string, ...words: string[]])[]
  readonly errors: string
}

/** Lets a worker run until the point, where it is killed: no signal handler, no goodbye. */
export async function runWorker(
  script: string,
  parameters: readonly string[],
  proxy: RecordingProxy,
  point: KillPoint | undefined,
): Promise<Worked> {
  const child = spawn(process.execPath, [script, ...parameters], { stdio: ['ignore', 'pipe', 'pipe'] })
  const gone = once(child, 'close')
  let left = point?.count ?? Number.POSITIVE_INFINITY
  let killedAt: KillPoint | undefined
  const kill = async () => {
    for (let turn = 0; turn < (point?.turns ?? 0); turn++) await setImmediate()
    if (child.kill('SIGKILL')) killedAt = point
    await gone
  }
  const meets = (kind: string): Promise<void> | undefined => {
    if (kind !== point?.at || --left !== 0) return undefined
    return kill()
  }
  proxy.watch(meets)
  let text = ''
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk
  })
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const known = wholeLines(text).length
    text += chunk
    for (const line of wholeLines(text).slice(known)) void meets(line.split(' ')[0] ?? '')
  })
  await gone
  proxy.watch(() => undefined)
  const lines = wholeLines(text).map((line) => line.split(' ') as [string, ...string[]])
  return { killedAt, lines, errors }
}

/** A line that was cut off by the kill tells nothing. */
function wholeLines(text: string): string[] {
  return text.split('\n').slice(0, -1)
}
