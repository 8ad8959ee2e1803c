import { readdir, stat } from 'node:fs/promises'
import { NacreError } from '@nacre/core'
import { ackPath, boxFolder, boxOwner, finishedLines, MAIL, mailPath, writeAck } from './box-file.js'
import { type Mail, type MailLog, toMail } from './message.js'

/** What takes in the mail that lies in the box of a member. */
export interface Inbox {
  /** Takes in all there is. One at a time: the caller waits for the end. */
  look(): Promise<void>
}

interface InboxOptions {
  readonly team: string
  readonly name: string
  readonly log: MailLog
  /** The last number that the log has of each sender. */
  readonly received: ReadonlyMap<string, number>
  readonly report: (error: unknown) => void
  /** Ends it: no more is taken in after the mail that is being logged. */
  readonly signal: AbortSignal
}

/** How far the mail of one sender is taken in. */
interface Reading {
  readonly from: string
  readonly path: string
  /** Behind the last line that was read. */
  offset: number
  /** The file as of the last look that took in all: how long it was, and when it was written. */
  size: number
  time: number
  /** The last number in the log, and the last one that the sender was told. */
  last: number
  acknowledged: number
  readonly reported: Set<number>
}

/** Reads the files of all senders from where it stopped. A mail is in the log before it is acknowledged, and only once. */
export function createInbox({ team, name, log, received, report, signal }: InboxOptions): Inbox {
  const readings = new Map<string, Reading>()

  const readingOf = (from: string): Reading => {
    const known = readings.get(from)
    if (known !== undefined) return known
    const last = received.get(from) ?? 0
    const path = mailPath(team, { from, to: name })
    const reading = { from, path, offset: 0, size: 0, time: 0, last, acknowledged: 0, reported: new Set<number>() }
    readings.set(from, reading)
    return reading
  }

  const takeIn = async (reading: Reading) => {
    const { size, mtimeMs } = await stat(reading.path)
    if (size !== reading.size || mtimeMs !== reading.time) {
      if (!(await takeLines(reading, size))) {
        reading.offset = 0
        await takeLines(reading, size)
      }
      reading.size = size
      reading.time = mtimeMs
    }
    if (reading.last <= reading.acknowledged) return
    await writeAck(ackPath(team, { from: reading.from, to: name }), reading.last)
    reading.acknowledged = reading.last
  }

  /**
   * Answers false unless the first line is the one behind the last: the file may have been emptied, and may have grown
   * since to any length.
   */
  const takeLines = async (reading: Reading, size: number): Promise<boolean> => {
    let isSure = reading.offset === 0
    for await (const { text, end } of finishedLines(reading.path, reading.offset, size)) {
      if (signal.aborted) return true
      const mail = mailOf(reading, text)
      if (!isSure && (mail === undefined || mail.seq > reading.last + 1)) return false
      isSure = true
      if (mail === undefined) reportLine(reading, end)
      else if (mail.seq > reading.last) {
        await log.append({ kind: 'received', mail })
        reading.last = mail.seq
      }
      reading.offset = end
    }
    return isSure
  }

  const mailOf = ({ from }: Reading, text: string): Mail | undefined => {
    const mail = toMail(text)
    // The numbers count for a pair, so a mail of another pair would make a mess of them.
    return mail?.message.from === from && mail.message.to === name ? mail : undefined
  }

  const reportLine = ({ path, reported }: Reading, end: number) => {
    if (reported.has(end)) return
    reported.add(end)
    const message = `A line of ${path}, up to byte ${end}, is no message for ${name}. It is left out.`
    report(new NacreError('STORE_CORRUPT', message))
  }

  return {
    async look() {
      for (const file of await readdir(boxFolder(team, name))) {
        if (signal.aborted) return
        const from = file.endsWith(MAIL) ? boxOwner(file.slice(0, -MAIL.length)) : undefined
        // What fails for one sender keeps no other waiting, and is tried again with the next look.
        if (from !== undefined) await takeIn(readingOf(from)).catch(report)
      }
    },
  }
}
