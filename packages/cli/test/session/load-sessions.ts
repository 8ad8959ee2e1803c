import { beforeAll } from 'vitest'
import { openSession } from '../../src/session/open-session.js'
import { runOptions, stage } from './stage.js'

/** Plays a session before the tests of a file: the first one loads all that sessions are made of, in its own time. */
export function loadSessions(): void {
  beforeAll(async () => {
    let cleanUp = async () => {}
    const { terminal } = await stage({}, (clean) => {
      cleanUp = clean
    })
    const { session, close } = await openSession(terminal, runOptions())
    for await (const _ of session.query('List the files'));
    await session.compact()
    await close()
    await cleanUp()
  }, 240_000)
}
