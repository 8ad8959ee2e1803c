import { memoryStore, NacreError } from '@nacre/core'
import { type DreamStatus, openFolders, readStatus } from '@nacre/dream'
import { type RunFlags, readOptions } from '../arguments/run-options.js'
import { dreamOutlook, memoriesOf } from '../session/look-at-memory.js'
import { openSession } from '../session/open-session.js'
import type { OpenedSession } from '../session/opened-session.js'
import { loadSettings } from '../settings/load-settings.js'
import { settingsInForce } from '../settings/settings.js'
import { cleanText } from '../terminal/clean-text.js'
import { EXIT, type ExitCode, type Terminal } from '../terminal/terminal.js'
import { isTrusted } from '../trust/trusted-folders.js'
import { commandPlace } from './find-session.js'

/** What the command line says of a dream. */
export interface DreamFlags extends RunFlags {
  readonly dryRun?: boolean
  readonly person?: boolean
  readonly json?: boolean
}

/** `refused`: it did not begin. `nothing`: there is nothing to dream of. */
type Outcome = DreamStatus['status'] | 'refused' | 'nothing'

const CODES: Readonly<Record<Outcome, ExitCode>> = {
  completed: EXIT.done,
  nothing: EXIT.done,
  running: EXIT.failed,
  failed: EXIT.failed,
  refused: EXIT.failed,
  killed: EXIT.interrupted,
}

/** Puts memories in order in a session of its own, which is not kept; prints what came of it. */
export async function runDream(terminal: Terminal, flags: DreamFlags): Promise<number> {
  const { continue: _continue, resume: _resume, forkSession: _fork, sessionId: _id, ...asked } = flags
  const options = await readOptions(terminal, { ...asked, print: true }, undefined)
  const say = (text: string) => void terminal.stderr.write(`nacre: ${cleanText(text)}\n`)
  // Nothing is said in it, so there is nothing to go on with: it is kept nowhere.
  const opened = await openSession(terminal, options, {
    store: memoryStore(),
    report: ({ message }) => say(message),
  })
  try {
    if (!flags.json) opened.notices.forEach(say)
    const text = await dreamIn(opened, flags, say)
    const { root, data } = commandPlace(terminal)
    const folder = (await openFolders({ home: data, project: root }))[flags.person ? 'person' : 'project']
    const last = await readStatus(folder)
    const outcome = outcomeOf(text, last)
    const { dollars } = opened.session.cost('dream')
    const report = { status: outcome, scope: folder.scope, isDryRun: flags.dryRun ?? false, text, dollars }
    const isGood = CODES[outcome] === EXIT.done
    if (flags.json) terminal.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    else if (isGood) terminal.stdout.write(`${cleanText(text)}\n`)
    else say(text)
    return CODES[outcome]
  } finally {
    await opened.close()
  }
}

/** Runs the dream, tells its phases, and stops it at the first signal. */
async function dreamIn({ session, controls }: OpenedSession, flags: DreamFlags, say: (text: string) => void) {
  if (!session.commands().some(({ name }) => name === 'dream')) {
    throw new NacreError('INVALID_SETTINGS', 'Long-term memory is switched off. Switch it on with: --flags dream=on')
  }
  let phase: string | undefined
  const tell = async () => {
    const now = await controls.dreamPhase().catch(() => undefined)
    if (now !== undefined && now !== phase && !flags.json) say(`dreaming: ${now}`)
    phase = now ?? phase
  }
  const stop = session.events.on('event', ({ type }) => {
    if (type === 'usage' || type === 'fork-progress') void tell()
  })
  const unhear = onSignal(() => void session.command('dream kill'))
  try {
    const words = [...(flags.dryRun ? ['--dry-run'] : []), ...(flags.person ? ['--person'] : [])]
    return await session.command('dream', words.join(' '))
  } finally {
    unhear()
    stop()
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The first signal stops the dream, so that its folder is left as it was; the second ends the process. */
function onSignal(first: () => void): () => void {
  let isAsked = false
  const hear = () => {
    if (isAsked) process.exit(EXIT.interrupted)
    isAsked = true
    first()
  }
  for (const signal of SIGNALS) process.on(signal, hear)
  return () => {
    for (const signal of SIGNALS) process.off(signal, hear)
  }
}

/** A command gives words alone; whether a dream was begun at all they tell, and how it ended its status does. */
function outcomeOf(text: string, last: DreamStatus | undefined): Outcome {
  if (text.startsWith('The dream ')) return last?.status ?? 'failed'
  return text.startsWith('There are no memories') ? 'nothing' : 'refused'
}

/** `nacre dream status`: what dreams do, did, and wait for. */
export async function showDreamStatus(terminal: Terminal, isJson: boolean): Promise<number> {
  const { root, data } = commandPlace(terminal)
  const loaded = await loadSettings(terminal)
  const settings = settingsInForce(loaded, await isTrusted(data, loaded.root))
  const memories = await memoriesOf({ root, data }, terminal.now)
  const [isPaused, inbox, outlook] = await Promise.all([
    memories.isPaused(),
    memories.inbox(),
    dreamOutlook({ root, data, settings, env: terminal.env, now: terminal.now }),
  ])
  if (isJson) {
    terminal.stdout.write(`${JSON.stringify({ isPaused, waiting: inbox.length, folders: outlook }, null, 2)}\n`)
    return EXIT.done
  }
  const lines = [
    ...outlook.map(({ scope, path, text }) => `${scope === 'person' ? 'yours' : 'project'}  ${path}\n  ${text}`),
    ...(isPaused ? ['Memory is paused in this project. It goes on with: nacre memory pause --off'] : []),
    ...(inbox.length > 0 ? [`${inbox.length} of its changes wait for you: nacre memory inbox`] : []),
  ]
  terminal.stdout.write(`${cleanText(lines.join('\n'))}\n`)
  return EXIT.done
}
