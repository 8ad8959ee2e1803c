import { describe, expect, it } from 'vitest'
import { readLog } from '../../src/log/checkpoint.js'
import { folding, foldTo, head, type ReliefSession, reliefSession } from './relief-session.js'

const todos = { name: 'todos', restore: () => [{ what: 'todos', text: 'write tests', status: 'live' as const }] }

async function resumed(session: ReliefSession) {
  const { entries, checkpoint } = await readLog(session.store)
  expect(checkpoint).toBeDefined()
  return reliefSession({ log: entries })
}

describe('a log that is read from the checkpoint of a fold', () => {
  it.each([0, 1, 2])('gives the same messages, %i turns later', async (later) => {
    const session = await reliefSession({ reliefs: [folding()], restorers: [todos] })
    for (let turn = 0; turn < 5; turn++) await session.turn(3_300)
    await session.prompt('and now?')
    expect(await session.relief.relieve('high', session)).toBe(true)
    for (let turn = 0; turn < later; turn++) await session.turn(10)
    expect((await resumed(session)).messages()).toEqual(session.messages())
  })

  it('knows the folds before it', async () => {
    const session = await reliefSession({ reliefs: [folding()] })
    for (let turn = 0; turn < 5; turn++) await session.turn(3_300)
    await session.relief.relieve('high', session)
    const second = await resumed(session)
    for (let turn = 0; turn < 4; turn++) await second.turn(3_300)
    const again = await reliefSession({ reliefs: [folding()], log: second.log })
    await again.relief.relieve('high', again)
    expect(again.events).toContainEqual({
      type: 'receipt',
      receipt: expect.objectContaining({ chain: { before: expect.any(String), count: 2, turnsSince: 8 } }),
    })
  })

  // The round that readLog puts in place of what was folded ends with a result, so that a note which stood before its
  // turn falls into that round. It should do so only when what follows begins with an answer.
  it('shows a note that a fold before it left to the first turn that is kept', async () => {
    const session = await reliefSession({ restorers: [todos] })
    for (let turn = 0; turn < 3; turn++) await session.turn(100)
    await session.relief.install('memory', foldTo(head(session.view(), 1)), 'auto')
    await session.turn(10)
    await session.relief.install('memory', foldTo(head(session.view(), 2), 'again'), 'auto')
    expect(session.messages()[0]?.content).toHaveLength(3)
    expect((await resumed(session)).messages()).toEqual(session.messages())
  })
})
