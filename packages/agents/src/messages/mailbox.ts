import { watch } from 'node:fs'
import { NacreError } from '@nacre/core'
import { isProcessAlive, type Lock, makePrivateFolder, takeLock, toFileName } from '@nacre/core/node'
import { boxFolder, errorCode, lockFolder, MAIL } from './box-file.js'
import { createInbox } from './inbox.js'
import { listMembers, type Member, memberNames } from './members.js'
import { type MailLog, type Message, toMessage } from './message.js'
import { createOutbox, type Outbox, type SentMail } from './outbox.js'

export type { Mail, MailLog, MailRecord, Message } from './message.js'

/** What a mailbox is opened with. */
export interface MailboxOptions {
  /** The folder of the team. */
  readonly folder: string
  readonly name: string
  readonly log: MailLog
  readonly now?: () => number
  /** Milliseconds between two looks for what nobody told of; a second if none is named. */
  readonly poll?: number
  /** Hears of what went wrong in the background. The same is told once. */
  report?(error: Error): void
}

/** The box of one member: what it sends arrives, and what arrives is in its log. */
export interface Mailbox {
  readonly name: string
  /** Those who have a box, without oneself, sorted. */
  members(): Promise<readonly Member[]>
  /** Resolved when it is in the log and in the other's box: then it arrives, whoever dies. The same id is sent once. */
  send(message: Message): Promise<void>
  /** Those sent and not yet acknowledged, in order for each receiver. */
  waiting(): readonly Message[]
  /** Waits for what is under way, and lets another process be the member. */
  close(): Promise<void>
}

/** Makes this process the member of a name: sends what its log has and a box has not, then takes in what comes. */
export async function openMailbox(options: MailboxOptions): Promise<Mailbox> {
  const { folder, name, now = Date.now } = options
  mustBeName(name)
  const box = boxFolder(folder, name)
  await makePrivateFolder(box).catch((cause: unknown) => {
    const code = errorCode(cause) ?? 'unknown error'
    throw new NacreError('STORE_UNWRITABLE', `Cannot make the mailbox ${box} (${code}). Look at the disk.`, { cause })
  })
  const lock = await takeLock(lockFolder(folder, name), { now, isAlive: isProcessAlive })
  if ('holder' in lock) {
    const message = `${name} is a member of this team already: ${lock.holder}. Take another name, or end that process.`
    throw new NacreError('SESSION_BUSY', message, { holder: lock.holder })
  }
  try {
    return await runMailbox({ ...options, now }, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Whatever has a file name is a name: half of a surrogate pair has none. */
function mustBeName(name: string): void {
  try {
    if (toFileName(name) !== '') return
  } catch {}
  throw new NacreError('INVALID_REQUEST', `${JSON.stringify(name)} is no name for a member. Take one with letters.`)
}

const POLL = 1000

async function runMailbox(options: MailboxOptions & { readonly now: () => number }, lock: Lock): Promise<Mailbox> {
  const { folder, name, log, now, poll = POLL } = options
  const report = reportOnce(options)
  const ended = new AbortController()
  const mustHold = async () => {
    const holder = await lock.lostTo()
    if (holder === undefined) return
    ended.abort()
    const message = `The box of ${name} went over to ${holder}, since this process was silent for long. Open it again.`
    throw new NacreError('SESSION_BUSY', message, { holder })
  }
  const { sent, received } = await readLog(log, name)
  const outboxes = createOutboxes({ folder, name, log, sent, mustHold })
  const inbox = createInbox({ team: folder, name, log, received, report, signal: ended.signal })

  // Before anything new: the receiver takes in no number below one that it has.
  for (const to of sent.keys()) await outboxes.to(to).tend().catch(report)

  const look = coalesced(() => mustHold().then(inbox.look).catch(report))
  const tend = coalesced(async () => {
    const busy = outboxes.all().filter((outbox) => outbox.waiting().length > 0)
    await Promise.all(busy.map((outbox) => mustHold().then(outbox.tend).catch(report)))
  })
  watchBox(boxFolder(folder, name), look.run, ended.signal)
  const timer = setInterval(() => {
    look.run()
    tend.run()
  }, poll).unref()
  ended.signal.addEventListener('abort', () => clearInterval(timer))
  look.run()

  return {
    name,
    members: () => listMembers(folder, name, now),
    async send(message) {
      if (ended.signal.aborted) throw new NacreError('ABORTED', `The mailbox of ${name} is closed. Open it again.`)
      mustBeSendable(message, name)
      await outboxes.to(message.to).send(message)
    },
    waiting: () => outboxes.all().flatMap((outbox) => outbox.waiting()),
    async close() {
      ended.abort()
      await Promise.all([look, tend, ...outboxes.all()].map((each) => each.idle()))
      await lock.release()
    },
  }
}

/** Tells each thing once: what fails with one look mostly fails with the next one too. */
function reportOnce(options: MailboxOptions): (error: unknown) => void {
  const told = new Set<string>()
  return (cause) => {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    if (told.has(error.message)) return
    told.add(error.message)
    options.report?.(error)
  }
}

/** What the log knows: of each receiver what was sent, of each sender how far it was received. */
async function readLog(log: MailLog, name: string) {
  const sent = new Map<string, SentMail>()
  const received = new Map<string, number>()
  for await (const record of log.read()) {
    if (record.kind === 'delivered') {
      const known = sent.get(record.to)
      // It is acknowledged in order: with one have arrived all before it.
      while (known?.waiting[0] && known.waiting[0].seq <= record.seq) known.waiting.shift()
      continue
    }
    const { message, seq } = record.mail
    const { from, to } = message
    // A copy of a log may go on under another name. What was said under the old one is not its own.
    if (record.kind === 'received' && to === name) received.set(from, Math.max(received.get(from) ?? 0, seq))
    if (record.kind !== 'sent' || from !== name) continue
    const known = sent.get(to) ?? nothingSent()
    sent.set(to, known)
    known.ids.add(message.id)
    known.last = Math.max(known.last, seq)
    known.waiting.push(record.mail)
  }
  return { sent, received }
}

function nothingSent(): SentMail {
  return { ids: new Set(), last: 0, waiting: [] }
}

interface OutboxesOptions {
  readonly folder: string
  readonly name: string
  readonly log: MailLog
  readonly sent: ReadonlyMap<string, SentMail>
  readonly mustHold: () => Promise<void>
}

/** One outbox for each receiver, made when it is needed. */
function createOutboxes({ folder, name, log, sent, mustHold }: OutboxesOptions) {
  const outboxes = new Map<string, Outbox>()
  const checkOf = (to: string) => {
    let isMember = false
    return async () => {
      await mustHold()
      if (!isMember) mustBeAmong(await memberNames(folder, name), to)
      isMember = true
    }
  }
  return {
    all: () => [...outboxes.values()],
    to(to: string): Outbox {
      const known = outboxes.get(to)
      if (known !== undefined) return known
      const pair = { from: name, to }
      const outbox = createOutbox({ team: folder, pair, log, sent: sent.get(to) ?? nothingSent(), check: checkOf(to) })
      outboxes.set(to, outbox)
      return outbox
    },
  }
}

function mustBeAmong(names: readonly string[], to: string): void {
  if (names.includes(to)) return
  const others = names.length === 0 ? 'Nobody else is in the team yet.' : `There are: ${names.join(', ')}.`
  throw new NacreError('NOT_FOUND', `Nobody in the team is called ${JSON.stringify(to)}. ${others}`)
}

/** What arrives has to be the same message, so it has to be one that survives JSON. */
function mustBeSendable(message: Message, name: string): void {
  mustBeName(message.to)
  if (message.from !== name) {
    throw new NacreError(
      'INVALID_REQUEST',
      `A message from ${message.from} can't be sent by ${name}. Send it as ${name}.`,
    )
  }
  if (toMessage(JSON.parse(JSON.stringify(message))) !== undefined) return
  const needs = 'It needs an id, a time that is a number, and a body that can be written as JSON.'
  throw new NacreError('INVALID_REQUEST', `This is no message. ${needs}`)
}

/** Runs once at a time. Whoever asks during a run gets one more, that begins after the asking. */
function coalesced(work: () => Promise<void>) {
  let running: Promise<void> | undefined
  let isDue = false
  const repeat = async () => {
    while (isDue) {
      isDue = false
      await work()
    }
    // In one step with the last look at what is due.
    running = undefined
  }
  return {
    run() {
      isDue = true
      running ??= repeat()
    },
    idle: async () => running,
  }
}

/** Hears of mail at once where the system tells of it. Where it does not, or misses some, the poll hears of it later. */
function watchBox(folder: string, onMail: () => void, signal: AbortSignal): void {
  try {
    const watcher = watch(folder, { persistent: false, signal }, (_, file) => {
      if (file === null || file.endsWith(MAIL)) onMail()
    })
    watcher.on('error', () => watcher.close())
  } catch {
    // There are only so many watches for each user.
  }
}
