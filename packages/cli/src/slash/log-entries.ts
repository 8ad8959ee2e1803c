import type { Entry, Session } from '@nacre/core'

/** The whole log of a session, oldest first. */
export async function logEntries(session: Pick<Session, 'inspect'>, signal: AbortSignal): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  const { entries: read } = await session.inspect()
  for await (const entry of read()) {
    signal.throwIfAborted()
    entries.push(entry)
  }
  return entries
}
