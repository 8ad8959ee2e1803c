import { describe, expect, it } from 'vitest'
import type { Receipt } from '../../src/types/log.js'
import { folding, foldTo, head, type ReliefSessionOptions, relief, reliefSession } from './relief-session.js'

async function smallSession(options: ReliefSessionOptions = {}) {
  const session = await reliefSession({
    reliefs: [folding('notes', 'notes'), folding('summary', 'summary')],
    ...options,
  })
  for (let turn = 0; turn < 4; turn++) await session.turn(500)
  return session
}

function receiptOf(outcome: object): Receipt {
  if (!('receipt' in outcome)) throw new Error(JSON.stringify(outcome))
  return outcome.receipt as Receipt
}

describe('compacting by hand', () => {
  it('takes the notes that are there, far below the threshold', async () => {
    const session = await smallSession()
    const outcome = await session.relief.compact({ signal: session.signal })
    expect(outcome).toMatchObject({ edit: { owner: 'notes' }, receipt: { trigger: 'manual', rung: 'notes' } })
  })

  it('asks for a summary when there are instructions, which come first', async () => {
    const asked: (readonly string[])[] = []
    const summary = relief('summary', (view, { instructions }) => ({
      span: head(view),
      frees: 1,
      dollars: 0,
      draft: (plan) => {
        asked.push([`need: ${instructions}`, ...plan.instructions])
        return foldTo(head(view))
      },
    }))
    const session = await smallSession({
      reliefs: [folding('notes'), summary],
      hooks: { PreCompact: ({ instructions }) => ({ instructions: `and ${instructions}` }) },
    })
    const outcome = await session.relief.compact({ instructions: 'keep the names', signal: session.signal })
    expect(receiptOf(outcome).rung).toBe('summary')
    expect(asked).toEqual([['need: keep the names', 'keep the names', 'and keep the names']])
  })

  it('says why when nothing could be done', async () => {
    const session = await smallSession({ reliefs: [] })
    expect(await session.relief.compact({ signal: session.signal })).toEqual({
      refused: 'There is nothing to compact.',
    })
    const vetoed = await smallSession({ hooks: { PreCompact: () => ({ veto: 'in a release' }) } })
    expect(await vetoed.relief.compact({ signal: vetoed.signal })).toEqual({ refused: 'plugin: in a release' })
    const wordless = await smallSession({ hooks: { PreCompact: () => ({ veto: true }) as never } })
    expect(await wordless.relief.compact({ signal: wordless.signal })).toEqual({
      refused: 'plugin: it did not say why',
    })
  })

  it('gives the person what a hook has to say to them, but for a dry run', async () => {
    const answers = [{ message: 'One.' }, { message: 'Two.', instructions: 'Keep.' }, { message: 'No.', veto: 'busy' }]
    for (const answer of answers) {
      const session = await smallSession({ hooks: { PreCompact: () => answer } })
      const notices = async () => (await session.entries()).filter(({ kind }) => kind === 'notice')
      await session.relief.compact({ dryRun: true, signal: session.signal })
      expect(await notices()).toEqual([])
      await session.relief.compact({ signal: session.signal })
      expect(await notices()).toMatchObject([{ owner: 'plugin', level: 'info', text: answer.message }])
      expect(JSON.stringify(session.messages())).not.toContain(answer.message)
    }
  })
})

describe('a dry run', () => {
  it('gives the receipt, says so to hooks, and changes nothing', async () => {
    const told: string[] = []
    const session = await smallSession({
      hooks: {
        PreCompact: ({ dryRun }) => void told.push(`pre ${dryRun}`),
        PostCompact: ({ dryRun }) => void told.push(`post ${dryRun}`),
        SessionStart: () => void told.push('start'),
        ViewChanged: () => void told.push('changed'),
      },
    })
    const before = { messages: session.messages(), entries: await session.entries() }
    const receipt = receiptOf(await session.relief.compact({ dryRun: true, signal: session.signal }))
    expect(receipt.tokens.after).toBeLessThan(receipt.tokens.before)
    expect(told).toEqual(['pre true', 'post true'])
    expect({ messages: session.messages(), entries: await session.entries() }).toEqual(before)
  })

  it('can be installed as it was shown', async () => {
    let drafts = 0
    const told: string[] = []
    const session = await smallSession({
      reliefs: [
        relief('summary', (view) => ({
          span: head(view),
          frees: 1,
          dollars: 0,
          draft: () => foldTo(head(view), `summary ${++drafts}`),
        })),
      ],
      restorers: [{ name: 'todos', restore: () => [{ what: 'todos', text: `list ${drafts}`, status: 'live' }] }],
      hooks: {
        PostCompact: ({ dryRun }, context) => {
          told.push(`post ${dryRun}`)
          context.note({ text: `noted ${dryRun}`, trust: 'content' })
        },
        SessionStart: () => void told.push('start'),
      },
    })
    const receipt = receiptOf(await session.relief.compact({ dryRun: true, signal: session.signal }))
    const outcome = await session.relief.compact({ use: receipt, signal: session.signal })
    expect(outcome.edit?.changes.map((change) => (change.kind === 'insert' ? change.note.text : change.kind))).toEqual([
      'fold',
      expect.stringContaining('list 1'),
      'noted true',
    ])
    // Rounds and notes are rounded one by one.
    expect(Math.abs(session.view().tokens.total - receipt.tokens.after)).toBeLessThan(10)
    expect(receiptOf(outcome)).toEqual({ ...receipt, undo: outcome.edit?.id })
    expect(drafts).toBe(1)
    expect(told).toEqual(['post true', 'post false', 'start'])
  })

  it('is forgotten once the view has changed, and is used once', async () => {
    const session = await smallSession()
    const receipt = receiptOf(await session.relief.compact({ dryRun: true, signal: session.signal }))
    await session.prompt('one more thing')
    expect(await session.relief.compact({ use: receipt, signal: session.signal })).toEqual({
      refused: 'The view has changed since the dry run.',
    })
    const again = receiptOf(await session.relief.compact({ dryRun: true, signal: session.signal }))
    expect(await session.relief.compact({ use: again, signal: session.signal })).toHaveProperty('edit')
    expect(await session.relief.compact({ use: again, signal: session.signal })).toHaveProperty('refused')
  })
})
