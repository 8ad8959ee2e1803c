import { describe, expect, it } from 'vitest'
import type { Change, Edit } from '../../src/types/log.js'
import type { Draft, Relief } from '../../src/types/relief.js'
import { type ReliefSession, relief, reliefSession } from './relief-session.js'

/** A relief on the first rung that offers whatever it is told to. */
function willing(name: string, draft: () => Draft, more: object = {}): Relief {
  return relief(
    'erase',
    ({ rounds }) => {
      const { span } = rounds[0] as (typeof rounds)[number]
      return { span, frees: 1_000, dollars: 0, draft, ...more }
    },
    name,
  )
}

function erasing(session: ReliefSession): Change[] {
  const entries = session.conversation.projection.timeline.rounds.flatMap((round) => round.entries)
  return entries.flatMap(({ id, content }) =>
    content[0]?.type === 'tool_result' ? [{ kind: 'erase' as const, target: { entry: id, block: 0 } }] : [],
  )
}

const editsOf = (session: ReliefSession) => session.log.filter((entry): entry is Edit => entry.kind === 'edit')

describe('a relief that erases', () => {
  it('may take back what it has erased itself, and nothing else', async () => {
    let changes: readonly Change[] = []
    const own = willing('own', () => ({ changes, reason: 'own' }))
    const session = await reliefSession({ reliefs: [own], pace: { isCold: true } })
    await session.turn(500)
    await session.turn(500)
    changes = erasing(session).slice(0, 1)
    await session.relief.relieve('idle', session)
    const [erased] = editsOf(session)
    changes = [{ kind: 'revert', edit: erased?.id as string }]
    await session.relief.relieve('idle', session)
    expect(session.decisions().map(({ verdict }) => verdict)).toEqual(['taken', 'taken'])

    const other = await session.conversation.edit({ owner: 'other', reason: '', changes: erasing(session) })
    const replaced = await session.conversation.edit({
      owner: 'own',
      reason: '',
      changes: [{ kind: 'replace', target: { entry: 'e1', block: 0 }, content: [{ type: 'text', text: 'cut' }] }],
    })
    for (const edit of [other, replaced]) {
      changes = [{ kind: 'revert', edit: (edit as Edit).id }]
      await session.relief.relieve('idle', session)
      expect(session.decisions().at(-1)).toMatchObject({
        verdict: 'refused',
        reason: 'A relief takes nothing back but what it has erased.',
      })
    }
  })

  it('pays at once where it keeps the cache, and waits where it does not', async () => {
    const judged = async (more: object) => {
      const session = await reliefSession({
        reliefs: [willing('own', () => ({ changes: erasing(session).slice(0, 1), reason: 'own' }), more)],
        pace: { turnsExpected: 1 },
      })
      await session.turn(500)
      await session.turn(500)
      await session.relief.relieve('idle', session)
      return session.decisions().at(-1)?.verdict
    }
    expect(await judged({})).toBe('declined')
    expect(await judged({ keepsCache: true })).toBe('taken')
  })

  it('is refused what people and the model have said', async () => {
    const session = await reliefSession()
    await session.turn(10)
    const changes: Change[] = [{ kind: 'erase', target: { entry: 'e1', block: 0 } }]
    expect(await session.conversation.edit({ owner: 'own', reason: '', changes })).toEqual({
      refused: "Only results, calls and thinking can be erased, not 'text'.",
    })
  })
})
