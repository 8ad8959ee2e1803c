import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import {
  asksForSummary,
  type ModelTurn,
  offline,
  recorded,
  type SimulatorOptions,
  scripted,
  summarize,
} from '../src/index.js'
import { assistant, call, result, text, user } from './support/requests.js'
import { simulate, words } from './support/simulate.js'

type Messages = readonly (ReturnType<typeof user> | ReturnType<typeof assistant>)[]

const TITLES = [
  'Primary request and intent',
  'Key technical concepts',
  'Files and code',
  'Errors and fixes',
  'Problem solving',
  'All user messages',
  'Pending tasks',
  'Current work',
  'Next step',
]
const ASK = `Text only. Think in <analysis>, then write a <summary> in these sections:\n${TITLES.map(
  (title, index) => `${index + 1}. ${title}: with all that matters.`,
).join('\n')}\nText only.`

const edit = (id: string, input: object) => ({ ...call(id, 'Edit'), input })

const WORK: Messages = [
  user('Fix the login bug.\nKeep the tests green.'),
  assistant([
    text('I look at the code first.'),
    edit('toolu_1', { file_path: 'src/login.ts', new_string: 'const retries = 3' }),
  ]),
  user([{ ...result('toolu_1', 'line one\nTypeError: token is undefined\nline three'), is_error: true }]),
  assistant([text('The token is missing; I pass it on.'), { ...call('toolu_2', 'Todo'), input: todos() }]),
  user([result('toolu_2', 'kept'), text('<system-reminder>\nBe quick.\n</system-reminder>')]),
  assistant('The login works again.'),
  user('Now the logout, please.'),
]

function todos() {
  return {
    todos: [
      { content: 'Fix the login', status: 'completed' },
      { content: 'Write the changelog', status: 'pending' },
    ],
  }
}

async function ask(messages: Messages, options: SimulatorOptions = {}, source = 'main'): Promise<string> {
  const { client } = await simulate({ model: offline(), ...options })
  const request = { model: 'claude-opus-5-5', max_tokens: 20_000, messages: messages as Anthropic.MessageParam[] }
  const message = await client.messages.create(request, { headers: { 'x-nacre-source': source } })
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

/** The lines of each section, by its title. */
function sectionsOf(summary: string): Record<string, string> {
  const parts = summary.split(/^\d\. /m).slice(1)
  return Object.fromEntries(parts.map((part) => [part.split(':\n')[0], part.slice(part.indexOf('\n') + 1).trim()]))
}

describe('a summary that a client asks for', () => {
  it('has a draft and the sections that were listed', async () => {
    const summary = await ask([...WORK, user(ASK)])
    expect(summary).toMatch(/^<analysis>\n[^<]+<\/analysis>\n\n<summary>\n1\. /)
    expect(summary.endsWith('</summary>')).toBe(true)
    expect(Object.keys(sectionsOf(summary))).toEqual(TITLES)
  })

  it('quotes the words of the person, and neither results nor notes nor its own request', async () => {
    const sections = sectionsOf(await ask([...WORK, user(ASK)]))
    expect(sections['All user messages']).toBe(
      '- Fix the login bug.\n  Keep the tests green.\n- Now the logout, please.',
    )
  })

  it('names files, errors, open todos, the last answers and the last words', async () => {
    const sections = sectionsOf(await ask([...WORK, user(ASK)]))
    expect(sections['Files and code']).toContain('src/login.ts (Edit 1; wrote: const retries = 3)')
    expect(sections['Errors and fixes']).toBe('- Edit: TypeError: token is undefined')
    expect(sections['Pending tasks']).toContain('Write the changelog (pending)')
    expect(sections['Pending tasks']).not.toContain('Fix the login')
    expect(sections['Current work']).toContain('The login works again.')
    expect(sections['Next step']).toContain('"Now the logout, please."')
  })

  it('is the same for the same conversation', async () => {
    expect(await ask([...WORK, user(ASK)])).toBe(await ask([...WORK, user(ASK)]))
  })

  it('follows other titles, also within a line', async () => {
    const summary = await ask([
      ...WORK,
      user('Write a <summary>: 1. All user messages; 2. Work completed; 3. Context for continuing (short).'),
    ])
    expect(Object.keys(sectionsOf(summary))).toEqual(['All user messages', 'Work completed', 'Context for continuing'])
    expect(sectionsOf(summary)['Work completed']).toContain('I look at the code first.')
  })

  it('is known behind results in the same message', async () => {
    const open = [...WORK.slice(0, 2), user([result('toolu_1', 'fine'), text(ASK)])]
    expect(sectionsOf(await ask(open))['All user messages']).toBe('- Fix the login bug.\n  Keep the tests green.')
  })

  it('takes calls and results that are written out as text for what they are', async () => {
    const sections = sectionsOf(
      await ask([
        user('The conversation has begun before this; its beginning is not shown here.'),
        user('Fix the login.'),
        assistant('[called Edit with {"file_path":"src/login.ts"}]'),
        user('[failure of Edit]\nno such line'),
        user(ASK),
      ]),
    )
    expect(sections['All user messages']).toBe('- Fix the login.')
    expect(sections['Files and code']).toBe('- src/login.ts (Edit 1)')
    expect(sections['Errors and fixes']).toBe('- no such line')
  })

  it('fills the elements that a request for records of parts shows', async () => {
    const request = 'Part 1 (2 rounds)\n  begins: Fix it.\n  ends: Done.\n\nGive <part number="1">…</part> only.'
    expect(await ask([...WORK, user(request)])).toBe('<part number="1">begins: Fix it. ends: Done.</part>')
  })

  it('is known by its source where its form is another', async () => {
    const plain = [...WORK, user('Give me a short summary, at most 60 words.')]
    expect(await ask(plain, {}, 'compact')).toMatch(/^1\. Primary request and intent:/)
    expect(await ask(plain)).toContain('I am the offline model')
  })

  it('carries over what an earlier one said, and the messages kept beside it', async () => {
    const earlier = sectionText(await ask([...WORK, user(ASK)]))
    const folded = [
      text('This session goes on from here. Its earlier part was folded.'),
      text(earlier),
      text('What the user said:\n<user_message entry="e9">\nNever push to main.\n</user_message>'),
      text('Exact names of that part:\n[e1] src/deep/name.ts, 4f2a9c1\n[e2] port 8080'),
    ]
    const sections = sectionsOf(
      await ask([user([...folded, text('Go on.')]), assistant('On it.'), user('Thanks.'), user(ASK)]),
    )
    expect(sections['Errors and fixes']).toContain('TypeError: token is undefined')
    expect(sections['Files and code']).toContain('src/login.ts')
    expect(sections['Primary request and intent']).toContain('Fix the login bug.')
    expect(sections['All user messages']).toBe(
      '- Fix the login bug.\n  Keep the tests green.\n- Now the logout, please.\n- Never push to main.\n- Go on.\n- Thanks.',
    )
    expect(JSON.stringify(sections)).not.toContain('4f2a9c1')
  })

  it('loses the oldest lines when its budget is spent', async () => {
    const long = Array.from({ length: 60 }, (_, index) => [user(`Task ${index}: ${words(60)}`), assistant('Done.')])
    const summary = await ask([...long.flat(), user(ASK)])
    expect(summary).toContain('Task 59:')
    expect(sectionsOf(summary)['All user messages']).not.toContain('Task 1:')
    expect(summary.length).toBeLessThan(20_000)
    const shorter = await ask([...long.flat(), user(ASK)], {
      model: (turn) => summarize(turn, { budget: 500 }),
    })
    expect(shorter.length).toBeLessThan(summary.length / 2)
  })

  it('does not take a numbered list of the person for a summary or for a request', async () => {
    const list = '1. Fix the error in a file\n2. Next the open tasks\n3. Then the work is done'
    expect(await ask([user(list)])).toContain('I am the offline model')
    expect(sectionsOf(await ask([user(list), assistant('Yes.'), user(ASK)]))['All user messages']).toContain(
      'Then the work is done',
    )
  })
})

describe('a request for a summary', () => {
  it('takes no item of a script', async () => {
    const { client } = await simulate({ model: scripted(['one', 'two']) })
    const say = async (words: string) =>
      JSON.stringify(
        (
          await client.messages.create({
            model: 'claude-opus-5-5',
            max_tokens: 5_000,
            messages: [{ role: 'user', content: words }],
          })
        ).content,
      )
    expect([await say('Hi'), await say(ASK), await say('Hi again')]).toEqual([
      expect.stringContaining('one'),
      expect.stringContaining('<summary>'),
      expect.stringContaining('two'),
    ])
  })

  it('is answered in a recorded session', async () => {
    const model = recorded([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ])
    expect(await ask([user('Hi'), assistant('Hello'), user(ASK)], { model })).toContain('<summary>')
  })

  it('can be told and answered by a function of one’s own', async () => {
    const model = (turn: ModelTurn) => (asksForSummary(turn) ? summarize(turn) : 'mine')
    expect(await ask([user('Hi')], { model })).toBe('mine')
    expect(await ask([...WORK, user(ASK)], { model })).toContain('<summary>')
  })

  it('may come from the server, with titles of the client’s own', async () => {
    const { client } = await simulate({ model: offline() })
    const compaction = { type: 'summarize' as const, instructions: 'Sections: 1. All user messages 2. Next step' }
    const message = await client.beta.messages.create({
      model: 'claude-opus-5-5',
      max_tokens: 5_000,
      betas: ['compact-2026-09-04'],
      compaction,
      messages: [
        { role: 'user', content: 'Count the sheep.' },
        { role: 'assistant', content: 'Eleven.' },
      ],
    })
    const [block] = message.content
    const summary = String(block?.type === 'compaction' && block.content)
    expect(Object.keys(sectionsOf(summary))).toEqual(['All user messages', 'Next step'])
    expect(summary).not.toContain('<summary>')
  })
})

function sectionText(answer: string): string {
  return /<summary>\n([\s\S]*)\n<\/summary>/.exec(answer)?.[1] ?? ''
}
