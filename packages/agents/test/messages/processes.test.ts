import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Mail, type MailRecord, openMailbox } from '../../src/messages/mailbox.js'
import { bundleChild } from './bundle-child.js'
import { memoryLog, newFolder, readRecords } from './mail-logs.js'

const isLong = process.env.NACRE_SOAK === '1'
// Of a long run nobody waits for the end.
vi.setConfig({ testTimeout: isLong ? 3_600_000 : 120_000 })
const { folder, remove } = newFolder()
let script = ''
beforeAll(async () => {
  script = await bundleChild('member', folder)
})
afterAll(remove)

const [PROCESSES, MESSAGES, KILLS] = isLong ? [10, 1_000, 40] : [4, 60, 4]
const names = Array.from({ length: PROCESSES }, (_, index) => `p${index}`)

/** The same numbers for the same seed, so that a failure can be played again as far as the system lets one. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Run {
  /** Whether it was killed, and did not come to its end before. */
  readonly isKilled: boolean
  /** Ends one that has nothing left to do. */
  end(): Promise<unknown>
}

/** Lets a member work until it is done or, where a number of records is given, so many and some moments more were told. */
async function run(name: string, killAfter?: { readonly records: number; readonly moments: number }): Promise<Run> {
  const args = [script, folder, name, names.join(','), String(MESSAGES)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  const end = () => {
    child.stdin.end()
    return closed
  }
  let text = ''
  let isKilled = false
  const done = new Promise<void>((resolve) => {
    const kill = (moments: number) => {
      if (moments > 0) setImmediate(kill, moments - 1)
      else isKilled = child.kill('SIGKILL') || isKilled
    }
    if (killAfter?.records === 0) kill(killAfter.moments * 100)
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const isDue = killAfter !== undefined && text.length < killAfter.records
      text += chunk
      if (isDue && text.length >= killAfter.records) kill(killAfter.moments)
      else if (killAfter === undefined && text.endsWith('done')) resolve()
    })
  })
  const exit = await Promise.race([closed, done])
  if (exit !== undefined && !isKilled) throw new Error(`${name} ended with ${exit}.`)
  return { isKilled, end }
}

it(`brings each message of ${PROCESSES} processes into the log of its receiver once and in order, whoever is killed when`, async () => {
  const seed = Number(process.env.NACRE_SEED ?? Date.now() % 1_000_000)
  const random = randomNumbers(seed)
  // All have a box before the first one sends.
  for (const name of names)
    await openMailbox({ folder: join(folder, 'team'), name, log: memoryLog() }).then((box) => box.close())

  let killed = 0
  const life = async (name: string) => {
    for (let kill = 0; kill < KILLS; kill++) {
      // From before it is open to long after: three records for each message, divided among its lives.
      const records = random(4) === 0 ? 0 : 1 + random((2 * 3 * MESSAGES) / KILLS)
      // One that has less left than that would never be killed.
      const left = 3 * MESSAGES - readRecords(join(folder, `${name}.log`)).length
      if (records >= left) break
      const { isKilled } = await run(name, { records, moments: random(50) })
      killed += isKilled ? 1 : 0
    }
    return run(name)
  }
  const ends = await Promise.all(names.map(life))
  await Promise.all(ends.map(({ end }) => end()))

  expect(killed, `seed ${seed}`).toBeGreaterThanOrEqual(PROCESSES)
  const logs = new Map(names.map((name) => [name, readRecords(join(folder, `${name}.log`))]))
  for (const from of names) {
    const others = names.filter((name) => name !== from)
    for (const [place, to] of others.entries()) {
      const ids = Array.from({ length: MESSAGES }, (_, number) => `${from}-${number}`)
      const expected = ids.filter((_, number) => number % others.length === place)
      const sent = mails(logs.get(from), 'sent', ({ message }) => message.to === to)
      const received = mails(logs.get(to), 'received', ({ message }) => message.from === from)
      expect(
        sent.map(({ message }) => message.id),
        `${from} to ${to}, seed ${seed}`,
      ).toEqual(expected)
      expect(received, `${from} to ${to}, seed ${seed}`).toEqual(sent)
      const delivered = logs.get(from)?.filter((record) => record.kind === 'delivered' && record.to === to) ?? []
      expect(delivered.length, `${from} to ${to}, seed ${seed}`).toBe(expected.length)
    }
  }
  // A long run sends more than two megabytes for each pair, so that files are emptied between the kills.
  const sizes = names.flatMap((to) => names.map((from) => sizeOf(join(folder, 'team', to, `${from}.jsonl`))))
  const emptied = sizes.filter((size) => size !== undefined && size < 1_500_000).length
  if (isLong) expect(emptied, `seed ${seed}`).toBeGreaterThan(0)
  console.log(
    `${PROCESSES * MESSAGES} messages, ${killed} kills, ${emptied} of ${sizes.length - PROCESSES} files short, seed ${seed}`,
  )
})

function mails(
  records: readonly MailRecord[] = [],
  kind: 'sent' | 'received',
  isMeant: (mail: Mail) => boolean,
): Mail[] {
  return records.flatMap((record) => (record.kind === kind && isMeant(record.mail) ? [record.mail] : []))
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}
