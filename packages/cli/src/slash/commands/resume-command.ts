import type { SessionSummary } from '@nacre/core'
import { cleanText } from '../../text/clean-text.js'
import { misuse } from '../misuse.js'
import { say } from '../say.js'
import { shortId } from '../short-id.js'
import type { SlashCommand, SlashContext, SlashOutput } from '../slash-command.js'
import { cutText } from '../text/cut-text.js'
import { padText } from '../text/pad-text.js'

/** How many are listed: those that one still remembers. */
const LISTED = 20
/** Fewer letters are no beginning of an id: they would hit one by chance. */
const LEAST = 4

/** Lists the other sessions of the project, and opens one instead of this one. */
export const resumeCommand: SlashCommand = {
  name: 'resume',
  help: 'Lists other sessions of this project; with a number, an id or words of a title, opens that one instead.',
  example: '/resume login bug',
  async run(args, context) {
    const sessions = await otherSessions(context)
    if (args === '') return listed(sessions, context)
    const found = matching(args, sessions)
    const [first] = found
    if (first === undefined)
      return misuse(`No other session of this project is about '${args}'.`, resumeCommand, context)
    if (found.length > 1) return listed(found, context)
    return { ...say(`Opens '${cutText(cleanText(first.title), 60)}'.`, context), next: { open: { resume: first.id } } }
  },
}

async function otherSessions({ opened, signal }: SlashContext): Promise<readonly SessionSummary[]> {
  const sessions: SessionSummary[] = []
  for await (const summary of opened.controls.store.list()) {
    signal.throwIfAborted()
    if (summary.id !== opened.session.id) sessions.push(summary)
  }
  return sessions
}

function matching(args: string, sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  const byNumber = /^\d{1,2}$/.test(args) ? sessions.slice(0, LISTED)[Number(args) - 1] : undefined
  if (byNumber) return [byNumber]
  const byId = sessions.filter(({ id }) => id === args || (args.length >= LEAST && id.startsWith(args)))
  const exact = byId.filter(({ id }) => id === args)
  if (byId.length > 0) return exact.length > 0 ? exact : byId
  const words = args.toLowerCase().split(/\s+/)
  return sessions.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
}

function listed(sessions: readonly SessionSummary[], context: SlashContext): SlashOutput {
  if (sessions.length === 0) return say('There are no other sessions of this project.', context)
  const shown = sessions.slice(0, LISTED)
  const numbers = String(shown.length).length
  const lines = shown.map(({ id, time, title }, index) => {
    const number = padText(String(index + 1), numbers, 'right')
    const when = new Date(time).toISOString().slice(0, 16).replace('T', ' ')
    const head = context.width >= 60 ? `${number}  ${shortId(id)}  ${when}  ` : `${number}  `
    return head + cutText(cleanText(title), Math.max(4, context.width - head.length))
  })
  const more = sessions.length > LISTED ? ` ${sessions.length - LISTED} more are older.` : ''
  const hint = say(`/resume with a number, an id or words of a title opens one.${more}`, context).text
  return { text: [...lines, hint].join('\n') }
}
