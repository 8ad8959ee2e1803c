import { sessionPreview } from '@nacre/session-memory'
import { EXIT } from '../../exit-codes.js'
import type { Terminal } from '../../terminal.js'
import { type CommandPlace, commandPlace } from '../command-place.js'
import { sessionBytes, sessionFiles } from '../session-files.js'
import { ago, bytes, oneLine } from '../words.js'

interface ListedSession {
  readonly id: string
  readonly title: string
  /** Milliseconds since 1970. */
  readonly time: number
  readonly bytes: number
  /** Where its work stands, by its notes. */
  readonly state?: string
}

/** Prints the sessions of a project, for people or as JSON. */
export async function listSessions(terminal: Terminal, isJson: boolean): Promise<number> {
  const place = commandPlace(terminal)
  const listed: ListedSession[] = []
  for await (const summary of place.store.list()) listed.push(await describe(place, summary))
  if (isJson) terminal.stdout.write(`${JSON.stringify(listed, null, 2)}\n`)
  else if (listed.length === 0)
    terminal.stdout.write(`There are no sessions of ${place.root} yet. Start one with: nacre\n`)
  else for (const session of listed) terminal.stdout.write(`${line(session, terminal)}\n`)
  return EXIT.done
}

async function describe(
  place: CommandPlace,
  { id, title, time }: { readonly id: string; readonly title: string; readonly time: number },
): Promise<ListedSession> {
  const [size, preview] = await Promise.all([
    sessionBytes(sessionFiles(place, id)),
    sessionPreview({ home: place.data, project: place.root, session: id }),
  ])
  const state = preview?.preview.replaceAll(/\s+/g, ' ').trim()
  return { id, title: title || preview?.title || '', time, bytes: size, ...(state && { state }) }
}

function line({ id, title, time, bytes: size }: ListedSession, { now, stdout }: Terminal): string {
  const head = `${id}  ${ago(now() - time).padEnd(15)} ${bytes(size).padStart(8)}  `
  return `${head}${oneLine(title || '(nothing said yet)', Math.max(20, (stdout.columns ?? 200) - head.length))}`
}
