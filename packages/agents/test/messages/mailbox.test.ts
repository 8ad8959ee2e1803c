import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Mailbox, type MailboxOptions, type MailRecord, openMailbox } from '../../src/messages/mailbox.js'
import { type MemoryLog, memoryLog, message, newFolder, receivedIds } from './mail-logs.js'

function teamFolder(): string {
  const { folder, remove } = newFolder()
  onTestFinished(remove)
  return join(folder, 'team')
}

async function open(folder: string, name: string, options: Partial<MailboxOptions> = {}) {
  const log = (options.log ?? memoryLog()) as MemoryLog
  const box = await openMailbox({ folder, name, poll: 10, ...options, log })
  onTestFinished(() => box.close())
  return { box, log }
}

/** A box for one who is not running. */
async function makeMember(folder: string, name: string): Promise<void> {
  const { box } = await open(folder, name)
  await box.close()
}

const sentRecord = (id: string, seq: number, to = 'b'): MailRecord => ({
  kind: 'sent',
  mail: { message: message('a', to, id), seq },
})
const lineOf = (id: string, seq: number) => `${JSON.stringify({ message: message('a', 'b', id), seq })}\n`
const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(0, -1)
const kinds = ({ records }: MemoryLog) => records.map(({ kind }) => kind)

/** Waits until all is acknowledged, and logged as that. */
async function settled(box: Mailbox): Promise<void> {
  await vi.waitFor(() => expect(box.waiting()).toEqual([]), { timeout: 20_000, interval: 5 })
}

describe('a message', () => {
  it('arrives as it was sent, in order, and is logged by both', async () => {
    const folder = teamFolder()
    const [a, b] = [await open(folder, 'a'), await open(folder, 'b')]
    const said = [
      message('a', 'b', '1', 'two\nlines, and ü'),
      { ...message('a', 'b', '2', { type: 'plan', steps: [1, null] }), summary: 'short' },
      message('a', 'b', '3'),
    ]
    await Promise.all(said.map((each) => a.box.send(each)))
    await settled(a.box)
    expect(b.log.records).toEqual(
      said.map((each, index) => ({ kind: 'received', mail: { message: each, seq: index + 1 } })),
    )
    expect(kinds(a.log)).toEqual(['sent', 'sent', 'sent', 'delivered', 'delivered', 'delivered'])
    expect(a.log.records.at(-1)).toEqual({ kind: 'delivered', id: '3', to: 'b', seq: 3 })
  })

  it('lies where only its user can read it', async () => {
    const folder = teamFolder()
    const a = await open(folder, 'a')
    await makeMember(folder, 'b')
    await a.box.send(message('a', 'b', '1'))
    expect(statSync(join(folder, 'b')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'b', 'a.jsonl')).mode & 0o777).toBe(0o600)
  })

  it('waits in the box of one who is not running, and arrives when that one opens it', async () => {
    const folder = teamFolder()
    await makeMember(folder, 'b')
    const a = await open(folder, 'a')
    await a.box.send(message('a', 'b', '1'))
    await a.box.send(message('a', 'b', '2'))
    expect(a.box.waiting().map(({ id }) => id)).toEqual(['1', '2'])
    const b = await open(folder, 'b')
    await settled(a.box)
    expect(receivedIds(b.log.records)).toEqual(['1', '2'])
  })

  it('is sent once, however often it is sent with the same id to the same member', async () => {
    const folder = teamFolder()
    const [a, b, c] = [await open(folder, 'a'), await open(folder, 'b'), await open(folder, 'c')]
    for (const to of ['b', 'c', 'b']) await a.box.send(message('a', to, 'same'))
    await settled(a.box)
    await a.box.close()
    const again = await open(folder, 'a', { log: a.log })
    await again.box.send(message('a', 'b', 'same'))
    await again.box.send(message('a', 'b', 'other'))
    await settled(again.box)
    expect([receivedIds(b.log.records), receivedIds(c.log.records)]).toEqual([['same', 'other'], ['same']])
  })

  it('is refused for an unknown member with who there is, and is not logged', async () => {
    const folder = teamFolder()
    const a = await open(folder, 'a')
    await expect(a.box.send(message('a', 'x', '1'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Nobody in the team is called "x". Nobody else is in the team yet.',
    })
    await makeMember(folder, 'c')
    await makeMember(folder, 'b/../..')
    await expect(a.box.send(message('a', 'x', '1'))).rejects.toThrow('There are: b/../.., c.')
    await expect(a.box.send(message('a', 'a', '1'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(a.log.records).toEqual([])
  })

  it.each([
    ['of another sender', message('x', 'b', '1')],
    ['without a time', { ...message('a', 'b', '1'), time: Number.NaN }],
    ['without an id', message('a', 'b', '')],
    ['to half of a character', message('a', '\ud800', '1')],
  ])('%s is refused', async (_, said) => {
    const folder = teamFolder()
    const a = await open(folder, 'a')
    await makeMember(folder, 'b')
    await expect(a.box.send(said)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(a.log.records).toEqual([])
  })

  it('that can not be put into the box is kept, and goes out when it can', async () => {
    const folder = teamFolder()
    const report = vi.fn()
    const a = await open(folder, 'a', { report })
    await makeMember(folder, 'b')
    await a.box.send(message('a', 'b', '1'))
    rmSync(join(folder, 'b'), { recursive: true })
    await expect(a.box.send(message('a', 'b', '2'))).rejects.toThrow('goes out by itself')
    expect(a.box.waiting().map(({ id }) => id)).toEqual(['1', '2'])
    await vi.waitFor(() => expect(report).toHaveBeenCalled())
    const b = await open(folder, 'b')
    await settled(a.box)
    expect(receivedIds(b.log.records)).toEqual(['1', '2'])
    expect(report).toHaveBeenCalledTimes(1)
  })

  it('is rejected with the error of the log, and the next one arrives', async () => {
    const folder = teamFolder()
    const [log, b] = [memoryLog(), await open(folder, 'b')]
    const append = vi.spyOn(log, 'append')
    const a = await open(folder, 'a', { log })
    await a.box.send(message('a', 'b', '1'))
    append.mockRejectedValueOnce(new Error('disk full'))
    await expect(a.box.send(message('a', 'b', '2'))).rejects.toThrow('disk full')
    await a.box.send(message('a', 'b', '3'))
    await settled(a.box)
    expect(receivedIds(b.log.records)).toEqual(['1', '3'])
  })
})

describe('a member', () => {
  it('is named with whether it runs', async () => {
    const folder = teamFolder()
    const [a, c] = [await open(folder, 'a'), await open(folder, 'c')]
    await makeMember(folder, 'B!')
    expect(await a.box.members()).toEqual([
      { name: 'B!', isHere: false },
      { name: 'c', isHere: true },
    ])
    await c.box.close()
    mkdirSync(join(folder, 'c.lock'))
    writeFileSync(join(folder, 'c.lock', 'token'), JSON.stringify({ pid: 2 ** 22 + 1, place: placeOf(folder, 'a') }))
    expect(await a.box.members()).toContainEqual({ name: 'c', isHere: false })
    writeFileSync(join(folder, 'c.lock', 'token'), JSON.stringify({ pid: 1, place: 'elsewhere' }))
    expect(await a.box.members()).toContainEqual({ name: 'c', isHere: true })
  })

  it('is one process: a second one is refused with who holds the name, until it is closed', async () => {
    const folder = teamFolder()
    const { box } = await open(folder, 'a')
    await expect(open(folder, 'a')).rejects.toMatchObject({
      code: 'SESSION_BUSY',
      message: expect.stringMatching(/^a is a member of this team already: process \d+ on .*Take another name/),
    })
    await box.close()
    await expect(box.send(message('a', 'b', '1'))).rejects.toMatchObject({ code: 'ABORTED' })
    expect((await open(folder, 'a')).box.name).toBe('a')
  })

  it('that was silent for a minute and lost its name sends and receives no more', async () => {
    const folder = teamFolder()
    let time = Date.now()
    const report = vi.fn()
    const old = await open(folder, 'a', { now: () => time, report, poll: 100_000 })
    await makeMember(folder, 'b')
    time += 61_000
    const heir = await open(folder, 'a', { now: () => time })
    await expect(old.box.send(message('a', 'b', '1'))).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    await expect(old.box.send(message('a', 'b', '1'))).rejects.toMatchObject({ code: 'ABORTED' })
    const b = await open(folder, 'b')
    await b.box.send(message('b', 'a', '2'))
    await settled(b.box)
    expect([receivedIds(old.log.records), receivedIds(heir.log.records)]).toEqual([[], ['2']])
  })

  it.each(['', '\udfff'])('can not be called %j', async (name) => {
    await expect(open(teamFolder(), name)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })

  it('goes on above the numbers of an earlier log of its name', async () => {
    const folder = teamFolder()
    const [first, b] = [await open(folder, 'a'), await open(folder, 'b')]
    await first.box.send(message('a', 'b', '1'))
    await first.box.send(message('a', 'b', '2'))
    await settled(first.box)
    await first.box.close()
    const second = await open(folder, 'a')
    await second.box.send(message('a', 'b', '3'))
    await settled(second.box)
    expect(receivedIds(b.log.records)).toEqual(['1', '2', '3'])
  })

  it('is told once of a line that is no mail for it, and takes in the others', async () => {
    const folder = teamFolder()
    const report = vi.fn()
    await makeMember(folder, 'b')
    const foreign = JSON.stringify({ message: message('a', 'c', 'x'), seq: 2 })
    writeFileSync(join(folder, 'b', 'a.jsonl'), `${lineOf('1', 1)}garbage\n${foreign}\nnull\n${lineOf('2', 2)}`)
    const b = await open(folder, 'b', { report })
    await vi.waitFor(() => expect(receivedIds(b.log.records)).toEqual(['1', '2']))
    // Begins anew, and finds the same lines.
    appendFileSync(join(folder, 'b', 'a.jsonl'), `more garbage\n${lineOf('3', 3)}`)
    await vi.waitFor(() => expect(receivedIds(b.log.records)).toEqual(['1', '2', '3']))
    expect(report).toHaveBeenCalledTimes(4)
    expect(report.mock.calls[0]?.[0]).toMatchObject({ code: 'STORE_CORRUPT' })
  })

  it('takes in again what its log refused', async () => {
    const folder = teamFolder()
    const log = memoryLog()
    vi.spyOn(log, 'append').mockRejectedValueOnce(new Error('disk full'))
    const report = vi.fn()
    const [a, b] = [await open(folder, 'a'), await open(folder, 'b', { log, report })]
    for (const id of ['1', '2']) await a.box.send(message('a', 'b', id))
    await settled(a.box)
    expect(receivedIds(b.log.records)).toEqual(['1', '2'])
    expect(report).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'disk full' }))
  })
})

function placeOf(folder: string, name: string): string {
  const lock = join(folder, `${name}.lock`)
  const [token = ''] = readdirSync(lock)
  return JSON.parse(readFileSync(join(lock, token), 'utf8')).place
}

describe('after a kill', () => {
  it('what is in the log and not in the box is put there, before anything new', async () => {
    const folder = teamFolder()
    await makeMember(folder, 'b')
    writeFileSync(join(folder, 'b', 'a.jsonl'), lineOf('1', 1))
    const a = await open(folder, 'a', { log: memoryLog([sentRecord('1', 1), sentRecord('2', 2), sentRecord('3', 3)]) })
    await a.box.send(message('a', 'b', '4'))
    const lines = ['1', '2', '3', '4'].map((id, index) => lineOf(id, index + 1).trimEnd())
    expect(linesOf(join(folder, 'b', 'a.jsonl'))).toEqual(lines)
    const b = await open(folder, 'b')
    await settled(a.box)
    expect(receivedIds(b.log.records)).toEqual(['1', '2', '3', '4'])
  })

  it('an unfinished last line is cut off, and its message sent again', async () => {
    const folder = teamFolder()
    const b = await open(folder, 'b')
    const path = join(folder, 'b', 'a.jsonl')
    writeFileSync(path, `${lineOf('1', 1)}${lineOf('2', 2).slice(0, -9)}`)
    await vi.waitFor(() => expect(receivedIds(b.log.records)).toEqual(['1']))
    const a = await open(folder, 'a', { log: memoryLog([sentRecord('1', 1), sentRecord('2', 2)]) })
    await settled(a.box)
    expect(linesOf(path)).toEqual([lineOf('1', 1).trimEnd(), lineOf('2', 2).trimEnd()])
    expect(receivedIds(b.log.records)).toEqual(['1', '2'])
  })

  it('what was acknowledged meanwhile is logged as delivered and not sent again', async () => {
    const folder = teamFolder()
    await makeMember(folder, 'b')
    writeFileSync(join(folder, 'b', 'a.ack'), '2\n')
    const a = await open(folder, 'a', { log: memoryLog([sentRecord('1', 1), sentRecord('2', 2), sentRecord('3', 3)]) })
    expect(a.box.waiting().map(({ id }) => id)).toEqual(['3'])
    expect(kinds(a.log)).toEqual(['sent', 'sent', 'sent', 'delivered', 'delivered'])
    expect(linesOf(join(folder, 'b', 'a.jsonl'))).toEqual([lineOf('3', 3).trimEnd()])
  })

  it.each(['', '2', '2x\n', '-1\n'])('an acknowledgement that reads %j counts for nothing', async (text) => {
    const folder = teamFolder()
    await makeMember(folder, 'b')
    writeFileSync(join(folder, 'b', 'a.ack'), text)
    const a = await open(folder, 'a', { log: memoryLog([sentRecord('1', 1), sentRecord('2', 2)]) })
    expect(a.box.waiting()).toHaveLength(2)
  })

  it('what is in the log of the receiver is not received again, and is acknowledged', async () => {
    const folder = teamFolder()
    const a = await open(folder, 'a')
    await makeMember(folder, 'b')
    for (const id of ['1', '2']) await a.box.send(message('a', 'b', id))
    const log = memoryLog(
      [1, 2].map((seq) => ({ kind: 'received', mail: { message: message('a', 'b', `${seq}`), seq } })),
    )
    await open(folder, 'b', { log })
    await settled(a.box)
    expect(log.records).toHaveLength(2)
  })

  it('a log that is a copy under another name has no part in the old one', async () => {
    const folder = teamFolder()
    const [b, copied] = [await open(folder, 'b'), memoryLog([sentRecord('1', 1)])]
    const copy = await open(folder, 'copy', { log: copied })
    expect(copy.box.waiting()).toEqual([])
    await copy.box.send(message('copy', 'b', '1'))
    await settled(copy.box)
    expect(receivedIds(b.log.records)).toEqual(['1'])
    expect(existsSync(join(folder, 'b', 'a.jsonl'))).toBe(false)
  })

  it('each message is received once and in order, wherever both are stopped, and however the box was torn', async () => {
    const stop = fc.record({
      who: fc.constantFrom('a', 'b'),
      after: fc.integer({ min: 0, max: 12 }),
      isLogged: fc.boolean(),
      torn: fc.integer({ min: 0, max: 60 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(stop, { maxLength: 6 }), async (stops) => {
        const { folder, remove } = newFolder()
        try {
          const ids = await playWithStops(folder, stops)
          expect(ids).toEqual(Array.from({ length: 12 }, (_, index) => `${index}`))
        } finally {
          remove()
        }
      }),
      { numRuns: 25 },
    )
  })
})

interface Stop {
  readonly who: string
  readonly after: number
  readonly isLogged: boolean
  readonly torn: number
}

/** Sends twelve messages from a to b. Both are stopped at some append to their log, and opened again. */
async function playWithStops(folder: string, stops: readonly Stop[]): Promise<string[]> {
  const logs = { a: memoryLog(), b: memoryLog() }
  const path = join(folder, 'b', 'a.jsonl')
  for (const { who, after, isLogged, torn } of [...stops, { who: 'b', after: 999, isLogged: true, torn: 0 }]) {
    const stopping = stoppingLog(who === 'a' ? logs.a : logs.b, after, isLogged)
    const b = await openMailbox({ folder, name: 'b', log: who === 'b' ? stopping : logs.b, poll: 5 })
    const a = await openMailbox({ folder, name: 'a', log: who === 'a' ? stopping : logs.a, poll: 5 })
    const sent = Promise.all(Array.from({ length: 12 }, (_, id) => a.send(message('a', 'b', `${id}`))))
    const isSettled = () => a.waiting().length === 0 && receivedIds(logs.b.records).length === 12
    await Promise.race([stopping.stopped, sent.catch(() => undefined)])
    if (who === 'b') await vi.waitFor(() => expect(stopping.isStopped() || isSettled()).toBe(true), { interval: 2 })
    await Promise.all([a.close(), b.close()])
    // What a kill in the middle of the next write would leave.
    if (torn > 0 && existsSync(path)) appendFileSync(path, lineOf('torn', 99).slice(0, torn))
  }
  return receivedIds(logs.b.records)
}

/** A log that takes no more from some record on, as that of a dead process; the last one may be in it or not. */
function stoppingLog(log: MemoryLog, after: number, isLogged: boolean) {
  let count = 0
  let stop: () => void = () => undefined
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  return {
    ...log,
    stopped,
    isStopped: () => count > after,
    async append(record: MailRecord) {
      count += 1
      if (count <= after) return log.append(record)
      if (count === after + 1 && isLogged) await log.append(record)
      stop()
      throw new Error('stopped')
    },
  }
}

describe('a file of more than a megabyte', () => {
  const long = 'x'.repeat(400_000)

  it('is emptied when all of it has arrived, and the next mail arrives', async () => {
    const folder = teamFolder()
    const path = join(folder, 'b', 'a.jsonl')
    const [a, b] = [await open(folder, 'a'), await open(folder, 'b')]
    const ids = Array.from({ length: 9 }, (_, id) => `${id}`)
    for (const id of ids.slice(0, 3)) await a.box.send(message('a', 'b', id, long))
    await settled(a.box)
    await vi.waitFor(() => expect(statSync(path).size).toBe(0))
    for (const id of ids.slice(3, 8)) await a.box.send(message('a', 'b', id, long))
    await settled(a.box)
    await a.box.close()
    const again = await open(folder, 'a', { log: a.log })
    await again.box.send(message('a', 'b', '8'))
    await settled(again.box)
    expect(receivedIds(b.log.records)).toEqual(ids)
  })

  it('stays while one of its mails was not acknowledged', async () => {
    const folder = teamFolder()
    await makeMember(folder, 'b')
    const a = await open(folder, 'a')
    for (const id of ['1', '2', '3']) await a.box.send(message('a', 'b', id, long))
    writeFileSync(join(folder, 'b', 'a.ack'), '2\n')
    await vi.waitFor(() => expect(a.box.waiting()).toHaveLength(1))
    expect(statSync(join(folder, 'b', 'a.jsonl')).size).toBeGreaterThan(1_200_000)
  })
})
