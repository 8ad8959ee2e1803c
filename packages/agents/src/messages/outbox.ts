import { type FileHandle, open, truncate } from 'node:fs/promises'
import { NacreError } from '@nacre/core'
import { ackPath, errorCode, finishedLines, mailPath, type Pair, readAck } from './box-file.js'
import { type Mail, type MailLog, type Message, toMail } from './message.js'

/** What a member has sent to one other, as its log has it. */
export interface SentMail {
  /** Of all, also of those that have arrived. */
  readonly ids: Set<string>
  last: number
  /** Those that were not acknowledged, in order. */
  waiting: Mail[]
}

/** The way from one member to another. */
export interface Outbox {
  /** Resolves when the message is in the log and in the box. A message that was sent already is not sent again. */
  send(message: Message): Promise<void>
  /** Takes note of what has arrived, and puts into the box what is missing there. */
  tend(): Promise<void>
  waiting(): readonly Message[]
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

interface OutboxOptions {
  readonly team: string
  readonly pair: Pair
  readonly log: MailLog
  readonly sent: SentMail
  /** Throws where there is no such member, or this process is none any more. */
  readonly check: () => Promise<void>
}

const SHORTEN_ABOVE = 1_000_000

/**
 * Sends in order: a message gets its number and is in the log before it is in the box, so a number is never given twice
 * and whatever is in the log and not in the box is put there later.
 */
export function createOutbox({ team, pair, log, sent, check }: OutboxOptions): Outbox {
  const file = mailFile(mailPath(team, pair))
  let acknowledged = 0
  let tail: Promise<unknown> = Promise.resolve()
  const inOrder = (work: () => Promise<void>): Promise<void> => {
    const done = tail.then(work)
    tail = done.catch(() => undefined)
    return done
  }

  const readAcknowledged = async () => {
    acknowledged = Math.max(acknowledged, await readAck(ackPath(team, pair)))
  }
  const fill = async () => {
    await file.write(sent.waiting, acknowledged)
    // Also above what an earlier log of this name has sent: the receiver would take lower numbers for old mail.
    sent.last = Math.max(sent.last, file.last(), acknowledged)
  }
  const noteArrived = async () => {
    for (let mail = sent.waiting[0]; mail !== undefined && mail.seq <= acknowledged; mail = sent.waiting[0]) {
      await log.append({ kind: 'delivered', id: mail.message.id, to: pair.to, seq: mail.seq })
      sent.waiting.shift()
    }
  }

  return {
    send: (message) =>
      inOrder(async () => {
        await check()
        if (!file.isKnown()) {
          await readAcknowledged()
          await fill().catch(refused(pair, 'It was not sent. Look at the disk, then send it again.'))
        }
        if (!sent.ids.has(message.id)) {
          // A number is used up even if the log fails: nobody knows whether the record is in it.
          sent.last += 1
          const mail = { message, seq: sent.last }
          await log.append({ kind: 'sent', mail })
          sent.ids.add(message.id)
          sent.waiting.push(mail)
        }
        await fill().catch(refused(pair, 'It is kept, and goes out by itself as soon as that works.'))
      }),
    tend: () =>
      inOrder(async () => {
        await readAcknowledged()
        await noteArrived()
        await fill()
        if (file.last() <= acknowledged && file.size() > SHORTEN_ABOVE) await file.empty()
      }),
    waiting: () => sent.waiting.map(({ message }) => message),
    idle: async () => void (await tail),
  }
}

function refused({ to }: Pair, advice: string): (cause: unknown) => never {
  return (cause) => {
    const code = errorCode(cause) ?? String(cause)
    throw new NacreError('STORE_UNWRITABLE', `The message can't be put into the box of ${to} (${code}). ${advice}`, {
      cause,
    })
  }
}

/** The file of one sender in one box, for its one writer. */
interface MailFile {
  /** Appends those that are not in it and not acknowledged. */
  write(waiting: readonly Mail[], acknowledged: number): Promise<void>
  empty(): Promise<void>
  isKnown(): boolean
  /** The highest number that it has, or had before it was emptied. */
  last(): number
  size(): number
}

function mailFile(path: string): MailFile {
  /** Where its last line ends; `undefined` until it was looked at, and after a write that failed. */
  let end: number | undefined
  let last = 0

  /** Finds what is in it and cuts off a line that a killed writer has left unfinished. */
  const mend = async (handle: FileHandle, size: number) => {
    let whole = 0
    last = 0
    for await (const line of finishedLines(path, 0, size)) {
      whole = line.end
      last = Math.max(last, toMail(line.text)?.seq ?? 0)
    }
    if (whole < size) await handle.truncate(whole)
    return whole
  }
  const append = async (handle: FileHandle, from: number, mail: Mail) => {
    const bytes = Buffer.from(`${JSON.stringify(mail)}\n`)
    end = undefined
    const { bytesWritten } = await handle.write(bytes)
    if (bytesWritten !== bytes.length) throw new Error('the disk took only a part')
    end = from + bytes.length
    last = mail.seq
    return end
  }

  return {
    async write(waiting, acknowledged) {
      const isThere = (mail: Mail) => mail.seq <= Math.max(last, acknowledged)
      if (end !== undefined && waiting.slice(-1).every(isThere)) return
      const handle = await open(path, 'a', 0o600)
      try {
        const { size } = await handle.stat()
        // Another size: somebody took it away, or a write failed half-way.
        let at = size === end ? size : await mend(handle, size)
        end = at
        for (const mail of waiting.slice(waiting.findLastIndex(isThere) + 1)) at = await append(handle, at, mail)
      } finally {
        await handle.close()
      }
    },
    async empty() {
      await truncate(path, 0)
      end = 0
    },
    isKnown: () => end !== undefined,
    last: () => last,
    size: () => end ?? 0,
  }
}
