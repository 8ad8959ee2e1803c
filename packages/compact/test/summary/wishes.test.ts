import { definePlugin, type Hooks } from '@nacre/core'
import type { ModelTurn } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { begin, lastRequest, listen, say, work } from './summary-session.js'

const plugin = (name: string, hooks: Hooks) => definePlugin({ name, setup: () => ({ hooks }) })
const wish = (name: string, instructions: string) => plugin(name, { PreCompact: () => ({ instructions }) })
const promptOf = (turn: ModelTurn | undefined) => JSON.stringify(turn?.messages.at(-1)?.content.at(-1))

describe('what people and plugins want of a summary', () => {
  it('stands in the prompt with the user’s first, then the plugins’, then the settings’, and not in the view', async () => {
    const worked = await work({ summary: ({ tools }) => (tools.length > 0 ? 'No.' : undefined) ?? '' })
    const plugins = [
      compact({ instructions: 'Wish of the settings.' }),
      wish('sql', 'Keep every SQL statement.'),
      wish('ids', 'Keep every ticket id.'),
    ]
    const session = await begin(worked, { plugins, flags: { 'compact.digest': false } })
    await say(session, 'Read it.')
    await session.compact({ instructions: 'Keep the rules.' })
    expect(worked.asked).toHaveLength(2)
    for (const turn of worked.asked) {
      const prompt = promptOf(turn)
      const places = ['Keep the rules.', 'Keep every SQL', 'Keep every ticket', 'Wish of the settings.'].map((words) =>
        prompt.indexOf(words),
      )
      expect(places.every((place) => place > 0)).toBe(true)
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      expect(prompt.match(/Answer with text only/g)).toHaveLength(2)
      expect(prompt).toMatch(/carry over is lost/)
    }
  })

  it('is in the receipt, with who asked, the threshold in force and the fold before', async () => {
    const worked = await work({ calls: 2 })
    const plugins = [compact({ instructions: 'Wish of the settings.' }), wish('sql', 'Keep every\nSQL statement.')]
    const session = await begin(worked, { plugins })
    await say(session, 'Read it.')
    const first = await session.compact({ instructions: 'Keep the rules.', by: 'person' })
    expect(first.edit?.receipt).toMatchObject({
      followed: ['Keep the rules.', 'Keep every\nSQL statement.', 'Wish of the settings.'],
      asked: { by: 'person', source: 'main' },
      threshold: session.view().tokens.threshold,
    })
    expect(first.edit?.receipt?.chain).not.toHaveProperty('before')
    expect(first.edit?.receipt).not.toHaveProperty('ignored')
    await say(session, 'Read on.')
    const second = await session.compact()
    expect(second.edit?.receipt).toMatchObject({ asked: { by: 'api' }, chain: { before: first.edit?.id, count: 2 } })
    const shown = await session.command('receipt', first.edit?.id)
    expect(shown).toContain('asked      by a person, in main')
    expect(shown).toMatch(/threshold {2}[\d,]+ tokens/)
    expect(shown).toContain('followed\n  Keep the rules.\n  Keep every\n  SQL statement.\n  Wish of the settings.')
    const last = await session.command('receipt')
    expect(last).toContain(`since the one before, ${first.edit?.id}`)
  })

  it('is in the receipt as ignored where a digest had to do', async () => {
    const worked = await work({ summary: () => 'No.' })
    const session = await begin(worked)
    await say(session, 'Read it.')
    const { receipt } = (await session.compact({ instructions: 'Keep the rules.' })).edit ?? {}
    expect(receipt).toMatchObject({ rung: 'digest', ignored: 'Keep the rules.' })
    expect(receipt).not.toHaveProperty('followed')
  })

  it('is nobody’s where a session folds by itself', async () => {
    const worked = await work({ window: 20_000, calls: 14 })
    const session = await begin(worked)
    const told = listen(session)
    await say(session, 'Read all of it.')
    const receipt = told.events.find((event) => event.type === 'receipt')?.receipt
    expect(receipt).toMatchObject({ trigger: 'auto', asked: { by: 'auto', source: 'main' } })
    expect(receipt).not.toHaveProperty('followed')
  })

  it('leaves no trace in the view', async () => {
    const worked = await work()
    const session = await begin(worked, { plugins: [compact(), wish('sql', 'Keep every SQL statement.')] })
    await say(session, 'Read it.')
    await session.compact({ instructions: 'Keep the rules.' })
    await say(session, 'Go on.')
    expect(lastRequest(worked)).not.toMatch(/Keep the rules|Keep every SQL|Answer with text only/)
  })

  it('respects a veto, tells it, and asks nobody', async () => {
    const worked = await work()
    const session = await begin(worked, {
      plugins: [compact(), plugin('guard', { PreCompact: () => ({ veto: 'a release is running' }) })],
    })
    await say(session, 'Read it.')
    const told = listen(session)
    const rounds = session.view().rounds.length
    expect(await session.compact()).toEqual({ refused: expect.stringContaining('a release is running') })
    expect(told.verdicts()).toEqual(['shared vetoed'])
    expect(worked.asked).toHaveLength(0)
    expect(session.view().rounds).toHaveLength(rounds)
  })

  it('brings the notes of PostCompact into the next request', async () => {
    const worked = await work()
    const noting = plugin('noting', {
      PostCompact: (_event, { note }) => note({ text: 'The deploy key is blue.', trust: 'content' }),
    })
    const session = await begin(worked, { plugins: [compact(), noting] })
    await say(session, 'Read it.')
    await session.compact()
    await say(session, 'Go on.')
    expect(lastRequest(worked)).toContain('The deploy key is blue.')
  })

  it('tells a model without supervision to decide by itself', async () => {
    const worked = await work()
    const session = await begin(worked, { plugins: [compact({ autonomous: true })] })
    await say(session, 'Read it.')
    await session.compact()
    expect(JSON.stringify(session.view().rounds[0]?.content)).toMatch(/Nobody is there/)
  })
})
