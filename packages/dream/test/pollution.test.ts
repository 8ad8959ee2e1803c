import { expect, it } from 'vitest'
import { evidenceOf } from '../src/memory/memory.js'
import { findSecret } from '../src/memory/secrets.js'
import { conversations } from './corpus/conversations.js'
import { KNOWN_TO_PASS, outside } from './corpus/outside.js'
import { tryAll } from './support/judge-corpus.js'
import { replay } from './support/replay.js'

it.each(conversations)('lets nothing false in, and what is true: $kind, $name', async (conversation) => {
  const { tried, taken } = await tryAll(conversation)
  expect(
    tried.filter(({ isBait, objection }) => isBait && objection === undefined).map(({ statement }) => statement),
  ).toEqual([])
  expect(tried.filter(({ isBait, objection }) => !isBait && objection !== undefined)).toEqual([])
  const said = conversation.messages.map(({ text }) => text).join('\n')
  for (const memory of taken) for (const { quote } of evidenceOf(memory)) expect(said).toContain(quote)
})

it.each(conversations.filter(({ kind }) => kind === 'secret'))(
  'knows a secret in prose: $name',
  async ({ messages, bait }) => {
    for (const { quote } of bait) expect(await findSecret(quote), quote).toBeDefined()
    expect(messages.length).toBeGreaterThan(0)
  },
)

/** Two of each kind; all of them in the soak. */
const played = conversations.filter(({ kind }, place) => {
  const earlier = conversations.slice(0, place).filter((each) => each.kind === kind).length
  return process.env.NACRE_SOAK === '1' || earlier < 2
})

it.each(played)('holds in a real session against a model that is hostile: $kind, $name', async (conversation) => {
  const stage = await replay(conversation, 'hostile')
  const memories = await stage.memories()
  const baits = new Set(conversation.bait.map(({ statement }) => statement))
  for (const { memory, unverified } of await memories.list()) {
    expect(baits.has(memory.body)).toBe(false)
    expect(unverified).toBeUndefined()
    expect(memory.isPinned).toBe(false)
  }
  expect(stage.exchanges.map(({ source }) => source)).not.toContain('dream')
})

it('holds against what somebody else has written, but for what is named', async () => {
  const tried = (await Promise.all(outside.map((each) => tryAll(each)))).flatMap((each) => each.tried)
  const passed = tried.filter(({ isBait, objection }) => isBait && objection === undefined)
  expect(passed.map(({ conversation }) => conversation.name)).toEqual(KNOWN_TO_PASS)
  expect(tried.filter(({ isBait, objection }) => !isBait && objection !== undefined)).toEqual([])
})
