import type { Part, Session } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { begin, listen, nine, say, type Work, work } from './summary-session.js'

const ALWAYS: Work = { model: 'claude-opus-5-5', calls: 3, before: [{ type: 'thinking', thinking: 'Hm.' }] }
const UP_TO = ['Work completed', 'Context for continuing']

type Fold = (session: Session) => Promise<unknown>
const second = (session: Session) =>
  session.view().rounds.find(({ entries }) => JSON.stringify(entries[0]?.content).includes('Second'))?.span.from ?? ''
const part =
  (make: (entry: string) => Part): Fold =>
  (session) =>
    session.compact({ part: make(second(session)) })
const whole: Fold = (session) => session.compact()

const PATHS: readonly (readonly [string, Fold, Work])[] = [
  ['shared', whole, ALWAYS],
  ['plain', whole, { ...ALWAYS, summary: ({ tools }) => (tools.length > 0 ? 'No.' : nine()) }],
  ['digest', whole, { ...ALWAYS, summary: () => 'No.' }],
  ['from', part((from) => ({ from })), ALWAYS],
  ['upTo', part((upTo) => ({ upTo })), { ...ALWAYS, summary: () => nine({}, UP_TO) }],
  ['server', whole, ALWAYS],
]

describe('with thinking that is bound to its prefix', () => {
  it.each(PATHS)('no request is refused, also after an undo: %s', async (name, fold, options) => {
    const worked = await work(options)
    const session = await begin(worked, { flags: { 'compact.server': name === 'server' } })
    await say(session, 'First, read it.')
    await say(session, 'Second, read on.')
    expect(await fold(session)).toHaveProperty('edit')
    await say(session, 'Third.')
    await session.undo()
    await say(session, 'Fourth.')
    expect(await fold(session)).toHaveProperty('edit')
    expect(await say(session, 'Fifth.')).toBe('done')
    const refused = worked.requests.filter(({ status }) => status !== 200)
    expect(refused.map(({ body }) => body.slice(0, 200))).toEqual([])
  })

  it.each([['shared', false] as const, ['server', true] as const])(
    'no request is refused when it folds by itself: %s',
    async (name, isServer) => {
      const worked = await work({ ...ALWAYS, window: 30_000, calls: 24 })
      const session = await begin(worked, { flags: { 'compact.server': isServer } })
      const told = listen(session)
      expect(await say(session, 'Read all of it.')).toBe('done')
      expect(new Set(told.verdicts())).toEqual(new Set([`${name} taken`]))
      expect(told.verdicts().length).toBeGreaterThan(1)
      expect(worked.requests.filter(({ status }) => status !== 200)).toEqual([])
    },
  )
})
