import { mkdirSync, rmdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { isNacreError } from '../../../src/errors.js'
import { fileStore } from '../../../src/node/file-store.js'
import { never } from '../entries.js'

// Two tasks, one for each line on stdin: `open` wins the session or not, and keeps it till the end of stdin; `rounds`
// takes and releases a lease many times and looks for a second holder meanwhile.
const [home = '', project = ''] = process.argv.slice(2)
const store = fileStore({ home, project })
process.stdout.write('ready\n')
for await (const task of createInterface({ input: process.stdin })) {
  process.stdout.write(`${task === 'open' ? await opens() : await rounds()}\n`)
}

async function opens(): Promise<string> {
  const session = await store.open('one', never).catch((error: unknown) => error)
  if (isNacreError(session, 'SESSION_BUSY')) return 'busy'
  if (session instanceof Error) return session.message
  process.stdin.on('end', () => void (session as { close(): Promise<void> }).close())
  return 'won'
}

async function rounds(): Promise<string> {
  let held = 0
  while (held < 5) {
    const lease = await store.lease('shared', never)
    if (lease === undefined) {
      await setImmediate()
      continue
    }
    // Fails when another one is in there.
    mkdirSync(`${home}/inside`)
    await setImmediate()
    rmdirSync(`${home}/inside`)
    await lease.release()
    held++
  }
  return `held ${held}`
}
