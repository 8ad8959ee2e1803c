import { createSession } from '@nacre/core'
import { scriptedModel } from '@nacre/core/testing'
import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { type Ask, type AskUserInput, askUser, askUserTool, textOf } from '../../src/index.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { toolContext } from '../support/tool-context.js'
import { expectExtensions } from '../todos/request-parts.js'

const QUESTION = {
  header: 'Database',
  question: 'Which database shall it be?',
  options: [{ label: 'Postgres', description: 'as in production' }, { label: 'SQLite' }],
}
const OTHER = { ...QUESTION, header: 'Tests', question: 'Which tests?', multiSelect: true }

const call = (...questions: readonly object[]) => ({
  type: 'tool_use' as const,
  name: 'AskUser',
  input: { questions } as never,
})

async function answered(ask: Ask | undefined, ...questions: readonly object[]): Promise<string> {
  const tool = askUserTool(ask)
  return textOf(await tool.run(tool.schema.parse({ questions }), toolContext('.')))
}

describe('the tool AskUser', () => {
  it('gives each question with what was picked, what was said freely, or nothing', async () => {
    const ask: Ask = async () => [
      { selected: ['Postgres'] },
      { selected: ['Postgres', 'SQLite'], text: ' and the old one ' },
      { selected: [], text: 'Ask me tomorrow.' },
    ]
    const text = await answered(ask, QUESTION, OTHER, { ...OTHER, question: 'When?' }, { ...OTHER, question: 'Why?' })
    expect(text).toBe(
      [
        'Which database shall it be?\n→ Postgres',
        'Which tests?\n→ Postgres; SQLite; in their own words: and the old one',
        'When?\n→ in their own words: Ask me tomorrow.',
        'Why?\n→ no answer',
      ].join('\n\n'),
    )
  })

  it('shows the host whole questions, with what was left out filled in', async () => {
    let seen: AskUserInput['questions'] = []
    await answered(async (questions) => {
      seen = [...questions]
      return []
    }, QUESTION)
    expect(seen).toEqual([
      { ...QUESTION, multiSelect: false, options: [QUESTION.options[0], { label: 'SQLite', description: '' }] },
    ])
  })

  it('says that nobody is there, and that the model has to decide', async () => {
    expect(await answered(undefined, QUESTION)).toMatch(/Nobody is there to answer[\s\S]*Decide by yourself/)
  })

  it('says that the person would rather not answer', async () => {
    expect(await answered(async () => undefined, QUESTION)).toContain('The person did not answer')
  })

  it.each([
    ['no question', []],
    ['five questions', [1, 2, 3, 4, 5].map(() => QUESTION)],
    ['a single option', [{ ...QUESTION, options: [{ label: 'Yes' }] }]],
    ['two options of one name', [{ ...QUESTION, options: [{ label: 'Yes' }, { label: 'Yes' }] }]],
    ['a question without words', [{ ...QUESTION, question: ' ' }]],
  ])('refuses %s', (_what, questions) => {
    expect(() => askUserTool().schema.parse({ questions })).toThrow(/questions/)
  })

  it('is never cleared, asks for no permission, and does not run beside others', () => {
    const tool = askUserTool()
    const input = tool.schema.parse({ questions: [QUESTION] })
    expect([tool.isCompactable, tool.isReadOnly(input), tool.isConcurrencySafe(input)]).toEqual([false, true, false])
    expect(tool.title(input)).toBe('Ask: Database')
  })
})

describe('a session with askUser', () => {
  it('asks one thing after the other where an answer holds two questions', async () => {
    let open = 0
    const most: number[] = []
    const ask: Ask = async (questions) => {
      most.push(++open)
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
      return questions.map(() => ({ selected: ['SQLite'] }))
    }
    const { start, bodies } = await setUp(scripted([[call(QUESTION), call(OTHER)], 'SQLite, then.']))
    const session = await start({ plugins: [askUser({ ask })] })
    const events = await eventsOf(session.query('Begin.'))
    expect(most).toEqual([1, 1])
    expect(bodies.at(-1)).toContain('Which database shall it be?\\n→ SQLite')
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'done' })
    expectExtensions(bodies)
  })

  it('goes on without a person', async () => {
    const { start, bodies } = await setUp(scripted([[call(QUESTION)], 'SQLite, then.']))
    const session = await start({ plugins: [askUser()] })
    expect((await eventsOf(session.query('Begin.'))).at(-1)).toMatchObject({ reason: 'done' })
    expect(bodies.at(-1)).toContain('Nobody is there to answer')
    expect(bodies.at(-1)).not.toContain('is_error')
  })

  it('takes a question back when it is stopped', async () => {
    const stop = new AbortController()
    let isTakenBack = false
    const ask: Ask = (_questions, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isTakenBack = true
          reject(signal.reason)
        })
        stop.abort()
      })
    const session = await createSession({
      model: scriptedModel([[{ type: 'tool_use', name: 'AskUser', input: { questions: [QUESTION] } }]]),
      plugins: [askUser({ ask })],
    })
    expect((await eventsOf(session.query('Begin.', { signal: stop.signal }))).at(-1)).toMatchObject({
      reason: 'aborted',
    })
    expect(isTakenBack).toBe(true)
    await session.close()
  })
})
