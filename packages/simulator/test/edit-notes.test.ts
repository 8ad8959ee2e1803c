import { expect, it } from 'vitest'
import { type ModelTurn, offline, type ReplyBlock } from '../src/index.js'

const SECTIONS = ['Session Title', 'Current State', 'Task Specification', 'Files and Functions', 'Worklog', 'Weather']
const section = { type: 'string', enum: SECTIONS }
const tool = {
  name: 'UpdateNotes',
  input_schema: { type: 'object', properties: { edits: { type: 'array', items: { properties: { section } } } } },
}
const text = (words: string) => ({ type: 'text', text: words })

function turnFor(asked: string, source = 'session_memory'): ModelTurn {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'src/login.ts' } }
  return {
    purpose: 'message',
    model: 'claude-sonnet-4-6',
    system: [],
    messages: [
      { role: 'user', content: [text('Fix the login bug in src/login.ts, and leave the tests alone.')] },
      { role: 'assistant', content: [text('I look at it.'), call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'found' }, text(asked)] },
    ],
    tools: [tool],
    instructions: undefined,
    thinks: false,
    source,
    key: 'a',
    signal: new AbortController().signal,
  }
}

interface Edit {
  readonly section: string
  readonly how: string
  readonly text: string
}

function editsOf(answer: unknown): readonly Edit[] {
  const { input } = answer as ReplyBlock & { input: { edits: readonly Edit[] } }
  return input.edits
}

it('edits notes section by section, from what was said and done', async () => {
  const edits = editsOf(await offline()(turnFor('<notes>\n# Session Title\n_Hint._\n\n# Worklog\n</notes>')))
  expect(edits.map(({ section: name }) => name)).toEqual(SECTIONS.slice(0, -1))
  const by = (name: string) => edits.find((edit) => edit.section === name)?.text
  expect(by('Session Title')).toBe('Fix the login bug in src/login.ts, and leave')
  expect(by('Task Specification')).toContain('leave the tests alone')
  expect(by('Files and Functions')).toBe('- src/login.ts')
  expect(by('Worklog')).toContain('Read')
})

it('adds only what the notes do not have, and shortens a section that has grown long', async () => {
  const long = Array.from({ length: 40 }, (_, number) => `- Read part ${number} of a file with a rather long name`)
  const notes = ['# Session Title', 'The login bug', '# Files and Functions', '- src/login.ts', '# Worklog', ...long]
  const edits = editsOf(await offline()(turnFor(`<notes>\n${notes.join('\n')}\n</notes>`)))
  expect(edits.map(({ section: name, how }) => [name, how])).toEqual([
    ['Current State', 'replace'],
    ['Worklog', 'replace'],
  ])
  expect(edits[1]?.text).toContain('src/login.ts')
  expect(edits[1]?.text.length).toBeLessThan(1_600)
})

it('knows the task by who asks, not by the tool alone', async () => {
  expect(await offline()(turnFor('Hello', 'main'))).toContain('I am the offline model')
})
