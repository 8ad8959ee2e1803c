import { describe, expect, it } from 'vitest'
import { foldDraft } from '../../src/fold/fold-draft.js'
import { createSession } from '../../src/session/create-session.js'
import type { Session, SessionOptions } from '../../src/session/types.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import { type ScriptedModel, scriptedModel } from '../../src/testing/scripted-model.js'
import type { SessionEvent } from '../../src/types/events.js'
import { definePlugin } from '../../src/types/plugin.js'
import type { Relief } from '../../src/types/relief.js'
import { eventsOf } from './setup.js'

const WINDOW = { window: 20_000, maxOutput: 32_000 }
const words = (count: number) => 'word '.repeat(count)

/** Answers with as many words as it is asked for. */
function talkative(info: Parameters<typeof scriptedModel>[1] = WINDOW): ScriptedModel {
  return scriptedModel(({ messages }) => {
    const asked = [...JSON.stringify(messages).matchAll(/say (\d+) words/g)].at(-1)?.[1]
    return words(Number(asked ?? 5))
  }, info)
}

async function talking(options: Partial<SessionOptions> = {}) {
  const model = talkative()
  const session = await createSession({ model, ...options })
  const heard: SessionEvent[] = []
  session.events.on('event', (event) => void heard.push(event))
  const say = async (count: number) => (await eventsOf(session.query(`Please say ${count} words`))).at(-1)
  /** Talks until the view is larger than so many tokens. */
  const fill = async (tokens: number) => {
    while (session.view().tokens.total <= tokens) await say(200)
  }
  return { session, model, heard, say, fill, told: () => toldIn(heard) }
}

/** What was told of sizes: events as they came, and how many notices. */
function toldIn(heard: readonly SessionEvent[]) {
  const names = heard.flatMap((event) => (event.type === 'threshold' ? [event.name] : []))
  const notices = heard.flatMap((event) => (event.type === 'notice' ? [event.notice] : []))
  return { names, notices }
}

/** Entries of the log. */
async function logOf(session: Session) {
  const entries = []
  for await (const entry of (await session.inspect()).entries()) entries.push(entry)
  return entries
}

/** Folds what may be folded when there is need for it, and fails as long as it is not willing. */
function folder() {
  const mood = { isWilling: true }
  const relief: Relief = {
    name: 'folding',
    rung: 'summary',
    offer(view, need) {
      const span = need.pressure === 'idle' ? undefined : need.foldable()
      if (!span) return undefined
      const draft = () =>
        mood.isWilling ? foldDraft(view, span, 'All went well.') : Promise.reject(new Error('nobody answers'))
      return { span, frees: 1_000, dollars: 0, draft }
    },
  }
  return { plugin: definePlugin({ name: 'folding', setup: () => ({ reliefs: [relief] }) }), mood }
}

describe('what the sizes measure to', () => {
  it('is the compaction while a layer compacts, else the end of the window', async () => {
    const alone = await talking()
    expect(alone.session.thresholds()).toMatchObject({ autoCompact: false, warning: { tokens: 16_000 } })
    const compacting = await talking({ plugins: [folder().plugin] })
    expect(compacting.session.thresholds()).toMatchObject({ autoCompact: true, warning: { tokens: 14_700 } })
    expect(compacting.session.thresholds().percentLeft(8_350)).toBe(50)
    const off = await talking({ plugins: [folder().plugin], flags: { folding: false } })
    expect(off.session.thresholds()).toMatchObject({ autoCompact: false, warning: { tokens: 16_000 } })
    expect(off.session.thresholds().percentLeft(9_000)).toBe(50)
  })

  it('changes with the flag in mid-session, and when the breaker stops the layers', async () => {
    let isOn = true
    const live = { read: (name: string) => (name === 'folding' ? isOn : undefined) }
    const { plugin, mood } = folder()
    mood.isWilling = false
    const { session, fill } = await talking({ plugins: [plugin], details: { flagSources: { live } } })
    expect(session.thresholds().autoCompact).toBe(true)
    isOn = false
    expect(session.thresholds().autoCompact).toBe(false)
    isOn = true
    await fill(16_750)
    for (let turn = 0; turn < 40 && session.thresholds().autoCompact; turn++)
      await eventsOf(session.query('say 60 words'))
    expect(session.thresholds()).toMatchObject({ autoCompact: false, warning: { tokens: 16_000 } })
  })
})

it('a layer that has switched off what folds is no way out, and the refusal does not name it as one', async () => {
  const relief: Relief = { name: 'off', rung: 'summary', compacts: () => false, offer: () => undefined }
  const idle = definePlugin({ name: 'idle', setup: () => ({ reliefs: [relief] }) })
  const { session, fill, say } = await talking({ plugins: [idle] })
  expect(session.thresholds().autoCompact).toBe(false)
  await fill(session.thresholds().block.tokens)
  const end = await say(5)
  expect(end).toMatchObject({ type: 'end', reason: 'blocked', error: { code: 'PROMPT_TOO_LONG' } })
  expect(end?.type === 'end' && end.error?.message).toContain('No layer that compacts is switched on')
})

describe('a view that grows', () => {
  it('tells once of each size that it crosses, by an event and a notice', async () => {
    const { session, fill, say, told } = await talking()
    const { warning, error, block } = session.thresholds()
    await fill(warning.tokens - 300)
    expect(told().names).toEqual([])
    await fill(warning.tokens)
    expect(told().names).toEqual(['warning'])
    await say(5)
    expect(told().names).toEqual(['warning'])
    await fill(error.tokens)
    await fill(block.tokens)
    expect(told().names).toEqual(['warning', 'error', 'block'])
    expect(told().notices.map(({ owner, level }) => `${owner} ${level}`)).toEqual([
      'core warning',
      'core error',
      'core error',
    ])
    expect(told().notices[0]?.text).toMatch(
      /^The context holds 16,\d{3} tokens, more than 16,000\. Nothing compacts it by itself/,
    )
  })

  it('tells again only after it has gone below', async () => {
    const { session, fill, told } = await talking()
    const { warning } = session.thresholds()
    await fill(warning.tokens)
    await session.rewind(session.view().rounds[3]?.span.from as string)
    await fill(warning.tokens)
    expect(told().names).toEqual(['warning', 'warning'])
  })

  it('does not tell again after a resume', async () => {
    const store = memoryStore()
    const { session, fill } = await talking({ store, open: { id: 'one' } })
    await fill(session.thresholds().warning.tokens)
    await session.close()
    const resumed = await talking({ store, open: { resume: 'one' } })
    await resumed.say(5)
    expect(resumed.told()).toEqual({ names: [], notices: [] })
    await resumed.fill(session.thresholds().error.tokens)
    expect(resumed.told().names).toEqual(['error'])
  })

  it('says where it is compacted, while a layer compacts', async () => {
    const { session, fill, told } = await talking({ plugins: [folder().plugin] })
    await fill(session.thresholds().warning.tokens)
    expect(told().names).toEqual(['warning'])
    expect(told().notices[0]?.text).toMatch(/It is compacted at 16,700\.$/)
    // Nobody has to do anything about it.
    expect(told().notices[0]?.level).toBe('info')
  })
})

describe('a query above the limit', () => {
  it('compacts first and goes on while a layer compacts', async () => {
    const { session, model, say } = await talking({ plugins: [folder().plugin] })
    const { block } = session.thresholds()
    for (let turn = 0; turn < 6; turn++) await say(1_900)
    // One long answer leads above it; the query after it is made room for.
    await say(4_000)
    expect(session.view().tokens.total).toBeGreaterThan(block.tokens)
    const sent = model.requests.length
    const end = await say(5)
    expect(end).toMatchObject({ type: 'end', reason: 'done' })
    expect(model.requests).toHaveLength(sent + 1)
    expect(session.view().tokens.total).toBeLessThan(session.thresholds().compact.tokens)
  })

  it('is refused before anything is logged where nothing compacts, and what makes room still works', async () => {
    const { session, model, fill, say } = await talking()
    const { block } = session.thresholds()
    await fill(block.tokens)
    const [entries, sent] = [await logOf(session), model.requests.length]
    const end = await say(5)
    expect(end).toMatchObject({ type: 'end', reason: 'blocked', error: { code: 'PROMPT_TOO_LONG' } })
    const said = end?.type === 'end' ? end.error?.message : ''
    expect(said).toMatch(/17,\d{3} tokens, above the limit of 17,700/)
    expect(said).toMatch(/[Cc]lear .*undo.*larger window/)
    expect(await logOf(session)).toEqual(entries)
    expect(model.requests).toHaveLength(sent)
    const back = session.view().rounds[2]?.span.from as string
    const edit = await session.rewind(back)
    expect(await say(5)).toMatchObject({ reason: 'done' })
    await session.undo({ edit: edit.id, force: true })
    expect(await say(5)).toMatchObject({ reason: 'blocked' })
    await session.setModel(talkative({ ...WINDOW, id: 'large', window: 200_000 }))
    expect(await say(5)).toMatchObject({ reason: 'done' })
    await session.setModel(model)
    expect(await say(5)).toMatchObject({ reason: 'blocked' })
    await session.clear()
    expect(await say(5)).toMatchObject({ reason: 'done' })
  })

  it('is refused before its prompt is logged where that is what is too much', async () => {
    const { session, model } = await talking()
    await eventsOf(session.query('say 5 words'))
    const before = session.view().version
    const end = (await eventsOf(session.query(words(20_000)))).at(-1)
    expect(end).toMatchObject({ type: 'end', reason: 'blocked', error: { message: expect.stringMatching(/prompt/) } })
    expect(session.view().version).toBe(before)
    expect(model.requests).toHaveLength(1)
  })

  it('is refused once the breaker has stopped the layers, and a compaction by hand helps', async () => {
    const { plugin, mood } = folder()
    mood.isWilling = false
    const { session, fill, say } = await talking({ plugins: [plugin] })
    await fill(session.thresholds().block.tokens)
    for (let turn = 0; turn < 40 && session.thresholds().autoCompact; turn++) await say(200)
    const end = await say(5)
    expect(end).toMatchObject({ type: 'end', reason: 'blocked' })
    expect(end?.type === 'end' ? end.error?.message : '').toMatch(/has stopped.*[Cc]ompact by hand/)
    mood.isWilling = true
    expect(await session.compact()).toMatchObject({ receipt: { trigger: 'manual' } })
    expect(session.thresholds().autoCompact).toBe(true)
    expect(await say(5)).toMatchObject({ reason: 'done' })
  })
})
