import { join } from 'node:path'
import type { Json, OwnSession, SessionStore } from '@nacre/core'
import { type Mailbox, type MailLog, type MailRecord, type Message, openMailbox } from '../messages/mailbox.js'
import { listenForMessages, type SocketListener, sendToSocket, socketPath } from '../messages/socket.js'
import type { Settings } from '../settings/settings.js'
import { OWNER, stateEntry } from './roster.js'

/** The name of the one who started the others. */
export const MAIN = 'main'

/** What may be said in a form that the runtime understands. */
export type StructuredMessage =
  | {
      readonly type: 'shutdown_request'
      readonly request_id?: string | undefined
      readonly reason?: string | undefined
    }
  | ({ readonly type: 'shutdown_response'; readonly reason?: string | undefined } & Answer)
  | ({ readonly type: 'plan_approval_response'; readonly feedback?: string | undefined } & Answer)

interface Answer {
  readonly request_id: string
  readonly approve: boolean
}

/** Ways to those outside of this process. */
export interface Post {
  members(): Promise<readonly { readonly name: string; readonly isHere: boolean }[]>
  /** To another member of the team. */
  mail(message: Message): Promise<void>
  /** To a socket by its path, or to the session of an id. */
  ring(address: string, message: Message, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

interface PostContext {
  readonly settings: Settings
  readonly sessionId: string
  readonly session: OwnSession
  readonly store: SessionStore
  now(): number
  /** A message has come in. */
  woken(): void
  report(text: string): void
}

/** Opens the ways that the settings ask for. One that can not be opened is told of, and the session goes on without. */
export async function openPost(context: PostContext): Promise<Post> {
  const { settings, report } = context
  const failed = (what: string) => (error: unknown) => {
    report(`${what}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
  const [mailbox, listener] = await Promise.all([
    settings.team ? openBox(context).catch(failed('There is no mail from other processes')) : undefined,
    settings.socket ? openSocket(context).catch(failed('Other sessions can not write to this one')) : undefined,
  ])
  return {
    members: async () => (await mailbox?.members()) ?? [],
    async mail(message) {
      if (!mailbox) throw new Error(`There is nobody called '${message.to}', and this session is in no team.`)
      await mailbox.send(message)
    },
    ring: (address, message, signal) => sendToSocket(placeOf(address), message, signal ? { signal } : {}),
    async close() {
      await Promise.all([mailbox?.close(), listener?.close()])
    },
  }
}

function placeOf(address: string): string {
  return address.startsWith('uds:')
    ? address.slice('uds:'.length)
    : socketPath({ session: address.slice('session:'.length) })
}

async function openSocket({ sessionId, session, woken, report }: PostContext): Promise<SocketListener> {
  return listenForMessages({
    path: socketPath({ session: sessionId }),
    async receive(message) {
      await session.steer(framed(message), { mark: { message: message.id } })
      woken()
    },
    report: ({ message }) => report(message),
  })
}

async function openBox({ settings, session, store, now, woken, report }: PostContext): Promise<Mailbox | undefined> {
  const { team, data } = settings
  if (!team) return undefined
  if (data === undefined) throw new Error('a team needs a data folder: give `data` to agents()')
  const log: MailLog = {
    async *read() {
      for await (const entry of store.read()) {
        if (entry.kind !== 'state' || entry.owner !== OWNER || entry.value === null) continue
        const record = entry.key === MAIL ? entry.value : (entry.value as { readonly mark?: Json }).mark
        if (isMailRecord(record)) yield record
      }
    },
    async append(record) {
      if (record.kind !== 'received') return store.append([stateEntry(MAIL, record as unknown as Json)])
      // One entry is both: that it came, and that it waits for the model.
      await session.steer(framed(record.mail.message), { mark: record as unknown as Json })
      woken()
    },
  }
  const folder = join(data, 'teams', team.team)
  return openMailbox({ folder, name: team.name, log, now, report: ({ message }) => report(message) })
}

const MAIL = 'mail'

function isMailRecord(value: unknown): value is MailRecord {
  const kind = (value as { readonly kind?: unknown } | undefined)?.kind
  return kind === 'sent' || kind === 'delivered' || kind === 'received'
}

/** A message as the model reads it. What it says can not close the frame. */
export function framed({ id, from, body, summary }: Message): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const attributes = [`from=${JSON.stringify(from)}`, `id=${JSON.stringify(id)}`]
  if (summary !== undefined) attributes.push(`summary=${JSON.stringify(summary)}`)
  return `<message ${attributes.join(' ')}>\n${text.replaceAll('</message', '<\\/message')}\n</message>`
}
