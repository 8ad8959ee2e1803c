import { mkdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { createInbox } from '../../src/messages/inbox.js'
import { memoryLog, message, newFolder, receivedIds } from './mail-logs.js'

const line = (seq: number, size = 10) =>
  `${JSON.stringify({ message: message('a', 'b', `${seq}`, 'x'.repeat(size)), seq })}\n`

function inboxOf(team: string, log = memoryLog()) {
  const received = new Map([['a', receivedIds(log.records).length]])
  const errors: unknown[] = []
  const { signal } = new AbortController()
  const report = (error: unknown) => errors.push(error)
  return { inbox: createInbox({ team, name: 'b', log, received, report, signal }), log, errors }
}

function newTeam() {
  const { folder, remove } = newFolder()
  mkdirSync(join(folder, 'b'))
  return { team: folder, path: join(folder, 'b', 'a.jsonl'), ack: join(folder, 'b', 'a.ack'), remove }
}

it.each([
  ['shorter', [line(3)]],
  ['as long as', [line(3), line(4)]],
  ['as long as, with half a line more,', [line(3), line(4), line(5).slice(0, 20)]],
  ['longer, with a line at the same place, than', [line(3), line(4), line(5)]],
  ['longer than', [line(3, 77), line(4, 3), line(5), line(6)]],
])('notices a file that was emptied and is %s before when it looks again', async (_, lines) => {
  const { team, path, ack, remove } = newTeam()
  onTestFinished(remove)
  const { inbox, log, errors } = inboxOf(team)
  writeFileSync(path, `${line(1)}${line(2)}`)
  utimesSync(path, 1, 1)
  await inbox.look()
  writeFileSync(path, lines.join(''))
  await inbox.look()
  const whole = lines.filter((each) => each.endsWith('\n'))
  const ids = Array.from({ length: 2 + whole.length }, (_each, index) => `${index + 1}`)
  expect(receivedIds(log.records)).toEqual(ids)
  expect(readFileSync(ack, 'utf8')).toBe(`${ids.length}\n`)
  expect(errors).toEqual([])
})

it('takes in all once and in order, whatever the sender writes and however often it is opened', async () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('write' as const), size: fc.integer({ min: 0, max: 90 }) }) },
    { weight: 3, arbitrary: fc.constant({ kind: 'half' as const, size: 0 }) },
    { weight: 3, arbitrary: fc.constant({ kind: 'look' as const, size: 0 }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'empty' as const, size: 0 }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'open' as const, size: 0 }) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { team, path, ack, remove } = newTeam()
      onTestFinished(remove)
      let { inbox, log, errors } = inboxOf(team)
      let [seq, whole] = [0, '']
      // The times of the file are those of the steps: two of them may fall into one tick of the real clock.
      let time = 0
      const write = (text: string) => {
        writeFileSync(path, text)
        time += 1
        utimesSync(path, time, time)
      }
      for (const { kind, size } of [...steps, { kind: 'look', size: 0 }]) {
        if (kind === 'look') await inbox.look()
        if (kind === 'open') inbox = inboxOf(team, log).inbox
        if (kind === 'half') write(`${whole}${line(seq + 1).slice(0, 20)}`)
        if (kind === 'empty' && seq > 0 && receivedIds(log.records).length === seq) {
          whole = ''
          write(whole)
        }
        if (kind === 'write') {
          seq += 1
          whole += line(seq, size)
          write(whole)
        }
      }
      expect(receivedIds(log.records)).toEqual(Array.from({ length: seq }, (_, index) => `${index + 1}`))
      if (seq > 0) expect(readFileSync(ack, 'utf8')).toBe(`${seq}\n`)
      expect(errors).toEqual([])
    }),
    { numRuns: 150 },
  )
})

it('takes in a line longer than what is read at once', async () => {
  const { team, path, remove } = newTeam()
  onTestFinished(remove)
  const { inbox, log } = inboxOf(team)
  writeFileSync(path, `${line(1, 300_000)}${line(2)}`)
  await inbox.look()
  expect(receivedIds(log.records)).toEqual(['1', '2'])
  truncateSync(path, 0)
  await inbox.look()
  expect(receivedIds(log.records)).toEqual(['1', '2'])
})
