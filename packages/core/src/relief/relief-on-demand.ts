import type { SessionRelief } from './session-relief.js'

/** The arbiter of a session, begun with the first thing that is asked of it. */
export function reliefOnDemand(begin: () => Promise<SessionRelief>): SessionRelief {
  let begun: SessionRelief | undefined
  const relief = async () => {
    begun ??= await begin()
    return begun
  }
  return {
    relieve: async (...asked) => (await relief()).relieve(...asked),
    compact: async (...asked) => (await relief()).compact(...asked),
    install: async (...asked) => (await relief()).install(...asked),
    standing: (messages) => begun?.standing(messages),
  }
}
