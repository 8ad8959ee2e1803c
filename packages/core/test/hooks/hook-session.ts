import type { Timer } from '../../src/async.js'
import type { NacreError } from '../../src/errors.js'
import type { DispatcherOptions, HookOwner, HookSession } from '../../src/hooks/dispatcher.js'
import type { Note } from '../../src/types/log.js'
import type { Tool } from '../../src/types/tool.js'

/** A session that does nothing, for tests of what stands between it and its plugins. */
export function hookSession(over: Partial<HookSession> = {}): HookSession {
  return {
    sessionId: 'session-1',
    source: 'main',
    signal: new AbortController().signal,
    view: () => ({
      version: 0,
      rounds: [],
      tokens: { total: 0, estimated: 0, threshold: 1, window: 1, scale: 1, factor: 1 },
      shows: () => 'hidden',
      shown: () => [],
      isPinned: () => false,
      roundsIn: () => [],
      state: () => undefined,
    }),
    store: () => {
      throw new Error('a test has no store')
    },
    propose: async () => ({ refused: 'a test accepts nothing' }),
    defer: () => {},
    fork: async () => {
      throw new Error('a test has no forks')
    },
    ...over,
  }
}

/** Options for a dispatcher, with all that it says written down. */
export function recordedOptions(plugins: readonly HookOwner[], over: Partial<DispatcherOptions> = {}) {
  const reports: NacreError[] = []
  const notes: { owner: string; notes: readonly Note[] }[] = []
  const options: DispatcherOptions = {
    plugins,
    session: hookSession(),
    isOn: () => true,
    notes: (owner, given) => notes.push({ owner, notes: given }),
    report: (error) => reports.push(error),
    timer: stillTimer().timer,
    ...over,
  }
  return { options, reports, notes }
}

/** A timer that only goes off when it is told to. */
export function stillTimer() {
  const waiting = new Map<() => void, number>()
  const timer: Timer = (milliseconds, fire) => {
    waiting.set(fire, milliseconds)
    return () => void waiting.delete(fire)
  }
  return {
    timer,
    /** The times that are being waited for. */
    pending: () => [...waiting.values()],
    fire: () => {
      for (const one of [...waiting.keys()]) one()
    },
  }
}

/** Gives back what it was called with. */
export const echoTool: Tool = {
  name: 'echo',
  description: 'Gives back its input.',
  schema: { json: { type: 'object' }, parse: (input) => input },
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: (input) => ({ content: [{ type: 'text', text: JSON.stringify(input) }] }),
}
