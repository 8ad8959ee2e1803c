import { type Entry, memoryStore, type Session, type Store } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { begin, lastRequest, messagesOf, say, type Worked, work } from './summary-session.js'

/** What would be sent next by a session whose log never had a fold. */
async function sentWithout(worked: Worked, store: Store, session: Session, prompt: string): Promise<string> {
  const entries = (await store.peek?.(session.id)) ?? []
  const kept = entries.filter((entry) => entry.kind !== 'edit' && !isCheckpoint(entry))
  const copy = memoryStore()
  const written = await copy.open('copy', new AbortController().signal)
  await written.append(kept)
  await written.close()
  const other = await begin(worked, { store: copy, open: { resume: 'copy' } })
  await say(other, prompt)
  return messagesOf(lastRequest(worked))
}

function isCheckpoint(entry: Entry): boolean {
  return entry.kind === 'state' && entry.key === 'checkpoint'
}

describe('a summary', () => {
  it.each([0, 5])('taken back %i turns later leaves what the log says without it', async (turns) => {
    const worked = await work({ calls: 3 })
    const store = memoryStore()
    const session = await begin(worked, { store })
    await say(session, 'Read it.')
    const outcome = await session.compact()
    for (let turn = 0; turn < turns; turn++) await say(session, `Turn ${turn}.`)
    await session.undo({ edit: outcome.edit?.id as string })
    const expected = await sentWithout(worked, store, session, 'What now?')
    worked.requests.length = 0
    await say(session, 'What now?')
    expect(messagesOf(worked.requests[0]?.body ?? '')).not.toBe('')
    expect(JSON.parse(messagesOf(lastRequest(worked))).length).toBe(JSON.parse(expected).length)
    const first = worked.requests.find(({ source }) => source === 'main')
    expect(expected.startsWith(messagesOf(first?.body ?? '').slice(0, -1))).toBe(true)
    expect(messagesOf(first?.body ?? '')).not.toContain('Primary request')
  })

  it('shown by a dry run changes nothing, and is installed as it was shown', async () => {
    const worked = await work({ calls: 3 })
    const store = memoryStore()
    const session = await begin(worked, { store })
    await say(session, 'Read it.')
    const before = JSON.stringify(session.view().rounds)
    const messages = ((await store.peek?.(session.id)) ?? []).filter(({ kind }) => kind !== 'notice').length
    const shown = await session.compact({ dryRun: true })
    expect(JSON.stringify(session.view().rounds)).toBe(before)
    expect(((await store.peek?.(session.id)) ?? []).filter(({ kind }) => kind !== 'notice')).toHaveLength(messages)
    const asked = worked.asked.length
    if (!('receipt' in shown)) throw new Error(shown.refused)
    const installed = await session.compact({ use: shown.receipt })
    expect(worked.asked).toHaveLength(asked)
    expect(installed.edit?.receipt).toEqual({ ...shown.receipt, undo: installed.edit?.id })
    expect(installed.edit?.receipt?.tokens.after).toBeLessThan(shown.receipt.tokens.before)
  })

  it('is not made any more once its flag is off in mid-session, and the next turn is valid', async () => {
    const worked = await work({ window: 20_000, calls: 14 })
    const off = new Set<string>()
    const live = { read: (name: string) => (off.has(name) ? false : undefined) }
    const session = await begin(worked, {
      flags: { 'compact.digest': false },
      details: { flagSources: { live } },
    })
    await say(session, 'Read all of it.')
    const folds = worked.asked.length
    expect(folds).toBeGreaterThan(0)
    off.add('compact.summary')
    expect(await say(session, 'Read on.')).toBe('done')
    expect(worked.asked).toHaveLength(folds)
    expect(await session.compact()).toHaveProperty('refused')
    expect(worked.requests.every(({ status }) => status === 200)).toBe(true)
  })
})
