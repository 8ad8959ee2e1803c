import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { importClaudeCode } from '../../src/import/index.js'
import type { AssistantEntry, Entry, MessageEntry } from '../../src/types/log.js'
import { plain, renderLog } from '../view/log-script.js'
import { illegalities } from '../view/oracle.js'

const FIXTURES = ['claude-code-auto', 'claude-code-manual', 'claude-code-sidechain'] as const
const linesOf = (name: string) =>
  readFileSync(new URL(`../fixtures/${name}.jsonl`, import.meta.url), 'utf8').split('\n')
const load = (name: string) => importClaudeCode(linesOf(name))

const isMessage = (entry: Entry): entry is MessageEntry => entry.kind === 'user' || entry.kind === 'assistant'
const responsesOf = (entries: readonly Entry[]) =>
  entries.filter((entry): entry is AssistantEntry => entry.kind === 'assistant')
const callsOf = ({ content }: MessageEntry) => content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
const resultsOf = ({ content }: MessageEntry) =>
  content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))

describe.each(FIXTURES)('the session %s', (name) => {
  it.each([true, false])('renders legally (bound: %s)', async (isBound) => {
    const { entries } = await load(name)
    expect(illegalities(plain(renderLog(entries, isBound)))).toEqual([])
  })

  it('has a result for every call, each in an entry of its own, behind its response', async () => {
    const messages = (await load(name)).entries.filter(isMessage)
    const calls = messages.flatMap(callsOf)
    expect(messages.flatMap(resultsOf).toSorted()).toEqual(calls.toSorted())
    expect(messages.every((entry) => resultsOf(entry).length <= 1)).toBe(true)
  })

  it('has each response once and whole, with its model, its usage and no prefix', async () => {
    const responses = responsesOf((await load(name)).entries)
    expect(new Set(responses.map(({ messageId }) => messageId)).size).toBe(responses.length)
    for (const { model, usage, prefix, stop } of responses) {
      expect(model).toMatch(/^claude-/)
      expect(usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h).toBeGreaterThan(0)
      expect(usage.dollars).toBeGreaterThan(0)
      expect([prefix, stop === '']).toEqual(['', false])
    }
  })

  it('shows no thinking to models that bind it', async () => {
    const { entries } = await load(name)
    const types = plain(renderLog(entries, true)).flatMap(({ content }) => content.map(({ type }) => type))
    expect(types).not.toContain('thinking')
  })
})

describe('a response that was split', () => {
  it('is one entry, with the results that came between its parts behind it', async () => {
    const { entries } = await load('claude-code-auto')
    const [first] = responsesOf(entries)
    expect(first?.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use', 'tool_use', 'tool_use'])
    expect(first?.usage.output).toBe(441)
    const interleaved = responsesOf(entries)[2]
    expect(interleaved?.messageId).toMatch(/VorFAw$/)
    expect(interleaved && callsOf(interleaved).length).toBeGreaterThan(2)
  })
})

describe('a compaction', () => {
  it.each([
    ['claude-code-auto', 'compacted by Claude Code (auto, at 167094 tokens)'],
    ['claude-code-manual', 'compacted by Claude Code (manual, at 142431 tokens)'],
  ])('of %s is a fold that can be taken back', async (name, reason) => {
    const { entries } = await load(name)
    const edits = entries.flatMap((entry) => (entry.kind === 'edit' ? [entry] : []))
    expect(edits).toMatchObject([{ owner: 'import', reason, changes: [{ kind: 'fold' }] }])
    const [first] = plain(renderLog(entries, false))
    expect(first?.content[0]?.text).toMatch(/^This session is being continued/)
    const undone = entries.filter(({ kind }) => kind !== 'edit')
    const messages = plain(renderLog(undone, false))
    expect(illegalities(messages)).toEqual([])
    expect(messages[0]?.content[0]?.text).not.toMatch(/^This session is being continued/)
  })
})

describe('a call that a crash cut off', () => {
  it('gets a result that says that nobody knows, and a notice', async () => {
    const { entries, notices } = await load('claude-code-auto')
    const last = entries.at(-1)
    expect(last?.kind === 'user' && last.content[0]).toMatchObject({
      type: 'tool_result',
      is_error: true,
      content: expect.stringContaining('it may or may not have run'),
    })
    expect(notices.filter(({ level }) => level === 'warning')).toHaveLength(1)
  })

  it('keeps the words of a person who interrupted', async () => {
    const texts = (await load('claude-code-auto')).entries
      .filter(isMessage)
      .flatMap(({ content }) => content.map(({ text }) => text))
    expect(texts).toContain('[Request interrupted by user for tool use]')
  })
})

describe('what is no part of the conversation', () => {
  it('is passed over and told', async () => {
    const { notices } = await load('claude-code-sidechain')
    expect(notices.map(({ text }) => text)).toEqual([
      'Records of type summary: 1 passed over.',
      'Records of sub-agents: 4 passed over.',
    ])
  })

  it('is not what the program said for the user: that is marked as such', async () => {
    const { entries } = await load('claude-code-manual')
    const meta = entries.filter((entry) => entry.kind === 'user' && entry.isMeta)
    expect(meta).toHaveLength(2)
  })
})

describe('records that are out of the ordinary', () => {
  const text = (words: string) => [{ type: 'text', text: words }]
  const user = (uuid: string, parentUuid: string | null, content: unknown, more: object = {}) =>
    JSON.stringify({
      type: 'user',
      uuid,
      parentUuid,
      timestamp: '2026-01-01T00:00:00Z',
      message: { role: 'user', content },
      ...more,
    })
  const assistant = (uuid: string, parentUuid: string, id: string, content: unknown, more: object = {}) =>
    JSON.stringify({
      type: 'assistant',
      uuid,
      parentUuid,
      message: { id, model: 'claude-opus-4-6', content, usage: {} },
      ...more,
    })
  const call = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} })
  const result = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: 'text' }]

  it('a prompt that goes on from an earlier place takes back what came behind it', async () => {
    const { entries } = await importClaudeCode([
      user('u1', null, 'One'),
      assistant('a1', 'u1', 'm1', text('First')),
      user('u2', 'a1', 'Two'),
      assistant('a2', 'u2', 'm2', text('Second')),
      user('u3', 'a1', 'Three'),
      assistant('a3', 'u3', 'm3', text('Third')),
    ])
    const words = plain(renderLog(entries, false)).flatMap(({ content }) => content.map((block) => block.text))
    expect(words).toEqual(['One', 'First', 'Three', 'Third'])
    expect(entries.filter(isMessage)).toHaveLength(6)
  })

  it('a crash in the middle leaves a legal log', async () => {
    const { entries, notices } = await importClaudeCode([
      user('u1', null, 'One'),
      assistant('a1', 'u1', 'm1', [call('c1'), call('c2')]),
      user('r1', 'a1', result('c1')),
      user('u2', 'r1', 'Go on'),
      assistant('a2', 'u2', 'm2', text('Done')),
      '{"type":"user","uuid":"to',
    ])
    expect(illegalities(plain(renderLog(entries, false)))).toEqual([])
    expect(entries.map(({ id }) => id)).toEqual(['u1', 'a1', 'r1', 'import-c2', 'u2', 'a2'])
    expect(notices.map(({ text }) => text)).toEqual([
      'Records that are not valid JSON: 1 passed over.',
      'Call c2 has no result; it may or may not have run.',
    ])
  })

  it('results that come late, twice, or for nothing are sorted out', async () => {
    const { entries, notices } = await importClaudeCode([
      user('u1', null, 'One'),
      assistant('a1', 'u1', 'm1', [call('c1')]),
      assistant('a2', 'a1', 'm2', [call('c2')]),
      user('r2', 'a2', result('c2')),
      user('r1', 'a1', result('c1')),
      user('r3', 'r2', result('c2')),
      user('r4', 'r2', result('none')),
      user('r4', 'r2', result('none')),
      assistant('a3', 'r2', 'm3', text('No'), { isApiErrorMessage: true }),
      assistant('a4', 'r2', 'm4', text('\n\n')),
    ])
    expect(illegalities(plain(renderLog(entries, false)))).toEqual([])
    expect(entries.map(({ id }) => id)).toEqual(['u1', 'a1', 'r1', 'a2', 'r2'])
    expect(notices).toHaveLength(4)
  })

  it('a compaction leaves out the prompt that nobody had answered', async () => {
    const { entries } = await importClaudeCode([
      user('u1', null, 'One'),
      assistant('a1', 'u1', 'm1', text('First')),
      user('u2', 'a1', 'Two'),
      JSON.stringify({ type: 'system', subtype: 'compact_boundary', uuid: 'b', parentUuid: null }),
      user('s', 'b', 'Summary', { isCompactSummary: true }),
      assistant('a2', 's', 'm2', text('Second')),
    ])
    const words = plain(renderLog(entries, false)).map(({ content }) => content.map((block) => block.text))
    expect(words).toEqual([['Summary', 'Two'], ['Second']])
  })

  it('an empty file is an empty log', async () => {
    expect(await importClaudeCode([''])).toEqual({ entries: [], notices: [] })
  })
})
