import type { Receipt } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { english, headings, type Spoken, spoken, summaryIn } from './spoken.js'
import { begin, listen, nine, reading, say, work } from './summary-session.js'

const tagged = (summary: string) => `<analysis>\nA draft.\n</analysis>\n<summary>\n${summary}\n</summary>`

/** A session in which a conversation was held, with a file read for each prompt, that is then to be compacted. */
async function spokenSession({ said }: Spoken, answer: string) {
  let asked = 0
  const worked = await work({
    calls: 1,
    summary: () => {
      asked += 1
      return answer
    },
    last: (done) => said[done]?.[1] ?? 'Done.',
  })
  const session = await begin(worked, { flags: { 'compact.digest': false }, tools: [reading(60)] })
  for (const [prompt] of said) expect(await say(session, prompt)).toBe('done')
  const told = listen(session)
  return { session, told, asked: () => asked }
}

async function folded(conversation: Spoken, answer: string) {
  const { session, told, asked } = await spokenSession(conversation, answer)
  const outcome = await session.compact()
  const fold = (session.view().rounds[0]?.content ?? []).map(({ text }) => String(text)).join('\n')
  return {
    receipt: outcome.edit?.receipt,
    refused: 'refused' in outcome ? outcome.refused : '',
    fold,
    told,
    asked: asked(),
  }
}

const check = (receipt: Receipt | undefined, name: string) => receipt?.checks.find((each) => each.name === name)

describe('a summary is taken whatever its form', () => {
  it.each(Object.keys(headings))('with headings %s, by the first call', async (name) => {
    const { receipt, fold, asked } = await folded(english, tagged(summaryIn(english, headings[name])))
    expect(check(receipt, 'sections')).toMatchObject({ ok: true, detail: expect.stringMatching(/^9 of 9/) })
    expect(fold).toContain('which was raised')
    expect(asked).toBe(1)
  })

  it.each(spoken.map((each) => [each.language, each] as const))(
    'in %s, with numbers and without tags',
    async (_, each) => {
      const { receipt, fold, asked } = await folded(each, summaryIn(each, headings['as asked']))
      expect(check(receipt, 'sections')).toMatchObject({ ok: true })
      expect(check(receipt, 'tags')).toMatchObject({ ok: false })
      expect(fold).toContain(each.bodies[3])
      expect(asked).toBe(1)
    },
  )

  it.each(spoken.map((each) => [each.language, each] as const))('in %s, without any heading', async (_, each) => {
    const { receipt, fold, asked } = await folded(each, summaryIn(each))
    expect(check(receipt, 'sections')).toMatchObject({ ok: false, detail: '0 of 9' })
    expect(fold).toContain(each.bodies[3])
    expect(asked).toBe(1)
  })

  it('without its ninth section, and the receipt says which one', async () => {
    const whole = summaryIn(english, headings['as asked'])
    const { receipt, asked } = await folded(english, tagged(whole.slice(0, whole.indexOf('9. Next step'))))
    expect(check(receipt, 'sections')).toEqual({ name: 'sections', ok: false, detail: '8 of 9, without 9 Next step' })
    expect(asked).toBe(1)
  })

  it('in another language than the conversation, where its tags say that it is meant to be one', async () => {
    const [, german] = spoken as readonly [Spoken, Spoken]
    const { receipt } = await folded(english, tagged(summaryIn(german, headings['marked alone'])))
    expect(check(receipt, 'sections')).toEqual({ name: 'sections', ok: true, detail: '9 of 9, 9 by their place' })
  })
})

const EMPTY = english.titles.map((title, index) => `${index + 1}. ${title}\nNothing.`).join('\n\n')
const LONG_REFUSAL = `I understand what you are asking for, but I am not able to assist with this kind of request. ${'My guidelines exist to keep everybody safe, and I would rather offer a different topic. '.repeat(6)}`

describe('an answer that carries almost nothing is never installed', () => {
  it.each([
    ['one line', 'The user and the assistant worked on a server.'],
    ['one line between tags', tagged('Everything was done as the user wanted it.')],
    ['headings with nothing below them', tagged(EMPTY)],
    ['a draft alone', `<analysis>\n${summaryIn(english)}\n</analysis>`],
    ['a draft that never ends', `<analysis>\n${summaryIn(english)}`],
    ['a long refusal', LONG_REFUSAL],
    ['a refusal between tags', tagged(english.refusal)],
    ['words about something else', tagged('The weather is fine today, and birds sing in the trees. '.repeat(12))],
  ])('%s', async (_name, answer) => {
    const { refused, fold, told } = await folded(english, answer)
    expect(told.verdicts()).toEqual(['shared failed', 'plain failed'])
    expect(refused).toMatch(/is no summary|holds no summary/)
    expect(fold).toBe('')
  })

  it.each(spoken.map((each) => [each.language, each] as const))(
    'a refusal, a question or the next words in %s',
    async (_, each) => {
      for (const answer of [each.refusal, each.question, each.goesOn]) {
        const { refused, fold } = await folded(each, answer)
        expect(refused).toContain('is no summary')
        expect(fold).toBe('')
      }
    },
  )

  it('a long answer that ends by asking, unless all its sections are there', async () => {
    const [, german] = spoken as readonly [Spoken, Spoken]
    const { refused } = await folded(german, `${summaryIn(german)} ${german.question}`)
    expect(refused).toContain('it ends by asking something')
    const { receipt } = await folded(german, `${summaryIn(german, headings['as asked'])} ${german.question}`)
    expect(check(receipt, 'sections')).toMatchObject({ ok: true })
  })

  it('words that go on with the last thing alone, however many names they have', async () => {
    const { refused } = await folded(TOPICS, GOING_ON)
    expect(refused).toContain('tells of the end of it alone')
    const { receipt } = await folded(
      TOPICS,
      `${GOING_ON} Before that the invoices were exported and the logo was redrawn.`,
    )
    expect(check(receipt, 'sections')).toMatchObject({ detail: '0 of 9' })
  })
})

const TOPICS: Spoken = {
  ...english,
  said: [
    [
      'Export the invoices of March as spreadsheets.',
      'The invoices are exported: seventeen spreadsheets in exports/march.',
    ],
    ['Redraw the logo in darker green.', 'The logo is redrawn, its green is #0a5c2b now.'],
    ['Translate the handbook into Danish.', 'The handbook is translated, chapter by chapter.'],
    ['Measure how fast the search answers.', 'The search answers in 210 ms on average, 95% within 400 ms.'],
    [
      'Find out why the mailer drops attachments.',
      'The mailer drops attachments above 10 MB: limitAttachments in lib/mailer.ts cuts them off without a word.',
    ],
  ],
}

const GOING_ON =
  'The cause is limitAttachments in lib/mailer.ts, which drops attachments above 10 MB and says nothing. I raise that to 25 MB, log each attachment that is still dropped, and write a test in which the mailer sends attachments of 9 MB, 11 MB and 26 MB. Then I run the tests of the mailer again. If attachments above 25 MB are dropped with a line in the log, the mailer does what it should, and I clean up limitAttachments.'

describe('a call that could only be refused', () => {
  it('is not made where what goes with any summary is as large as what it would stand for', async () => {
    const worked = await work({ calls: 0 })
    const session = await begin(worked, { flags: { 'compact.digest': false } })
    await say(session, `Read it. ${'And think. '.repeat(300)}`)
    const outcome = await session.compact()
    expect(outcome).toEqual({ refused: expect.stringContaining('No summary could be taken here. It is not smaller') })
    expect(worked.asked).toHaveLength(0)
  })

  it('is not made a second time by the plain way when the first answer was whole and too large', async () => {
    const worked = await work({ calls: 1, summary: () => nine({ 3: 'word '.repeat(3_000) }) })
    const session = await begin(worked)
    await say(session, 'Read it.')
    const told = listen(session)
    await session.compact()
    expect(told.verdicts()).toEqual(['shared refused', 'plain failed', 'digest taken'])
    expect(worked.asked).toHaveLength(1)
    const reasons = told.events.flatMap((event) => (event.type === 'relief' ? [event.decision.reason] : []))
    expect(reasons[1]).toMatch(/would end as before: It is not smaller/)
  })

  it('is not made a second time by the plain way when the first was cut behind as many words as that may write', async () => {
    const cut = { content: [`<summary>\n${'word '.repeat(6_000)}`], stop: 'max_tokens' as const }
    const worked = await work({ window: 20_000, calls: 2, summary: () => cut })
    const session = await begin(worked)
    await say(session, 'Read it.')
    const told = listen(session)
    await session.compact()
    expect(told.verdicts()).toEqual(['shared failed', 'plain failed', 'digest taken'])
    expect(worked.asked.filter(({ tools }) => tools.length === 0)).toEqual([])
  })
})
