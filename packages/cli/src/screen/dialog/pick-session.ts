import type { SessionSummary } from '@nacre/core'
import { cleanText } from '../../text/clean-text.js'
import type { Dialogs } from './dialogs.js'

const MOST = 9

/** Lets a person choose a session; `undefined` for none of them. */
export async function pickSession(
  dialogs: Dialogs,
  sessions: readonly SessionSummary[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const offered = sessions.slice(0, MOST)
  const picked = await dialogs.choose(
    {
      title: 'Which session?',
      body: () => [],
      options: offered.map(({ id, title }) => ({ label: cleanText(title ?? id).replace(/\s+/g, ' ') })),
    },
    signal,
  )
  return offered[picked?.options[0] ?? -1]?.id
}
