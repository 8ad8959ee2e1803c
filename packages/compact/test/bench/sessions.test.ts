import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Message, toExchanges } from '../../bench/sessions/exchanges.mjs'
import { recordedSessions } from '../../bench/sessions/recorded.mjs'
import { draw, seededSessions } from '../../bench/sessions/seeded.mjs'

const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `What ${id} gave.` })
const text = (words: string) => ({ type: 'text', text: words })

describe('a recording becomes exchanges', () => {
  it('without thinking, and without calls that have no result', () => {
    const { exchanges } = toExchanges([
      { role: 'user', content: 'Begin.' },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.' }, call('a'), call('lost')] },
      { role: 'user', content: [result('a')] },
      { role: 'assistant', content: [text('Done with it.')] },
    ])
    expect(exchanges).toEqual([{ prompt: 'Begin.', answers: [[call('a')], [text('Done with it.')]] }])
  })

  it('in which an answer in several records is one', () => {
    const { exchanges } = toExchanges([
      { role: 'user', content: 'Begin.' },
      { role: 'assistant', content: [text('I look.')] },
      { role: 'assistant', content: [call('a')] },
      { role: 'user', content: [result('a')] },
      { role: 'assistant', content: 'Seen.' },
    ])
    expect(exchanges[0]?.answers).toEqual([[text('I look.'), call('a')], [text('Seen.')]])
  })

  it('in which work that was broken off comes to an end before the next prompt', () => {
    const { exchanges } = toExchanges([
      { role: 'user', content: 'Begin.' },
      { role: 'assistant', content: [call('a')] },
      { role: 'user', content: [result('a'), text('Stop, do the other thing.')] },
      { role: 'assistant', content: 'As you like.' },
    ])
    expect(exchanges.map(({ prompt }) => prompt)).toEqual(['Begin.', 'Stop, do the other thing.'])
    expect(exchanges[0]?.answers).toEqual([[call('a')], [text('Done.')]])
  })

  it('that a loop can play: all but the last answer to a prompt call tools, and every call has its result', async () => {
    const message = fc.oneof(
      fc.constant<Message>({ role: 'user', content: 'Go.' }),
      fc.nat(5).map((id): Message => ({ role: 'assistant', content: [call(`c${id}`)] })),
      fc.constant<Message>({ role: 'assistant', content: [text('Well.')] }),
      fc.nat(5).map((id): Message => ({ role: 'user', content: [result(`c${id}`)] })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 20 }), async (messages) => {
        const { exchanges, results } = toExchanges(messages)
        for (const { prompt, answers } of exchanges) {
          expect(prompt).not.toBe('')
          const calls = answers.map((answer) => answer.filter(({ type }) => type === 'tool_use'))
          expect(calls.map(({ length }) => length > 0)).toEqual(answers.map((_, index) => index < answers.length - 1))
          expect(calls.flat().every(({ id }) => results.has(String(id)))).toBe(true)
        }
      }),
      { seed: 3, numRuns: 200 },
    )
  })
})

describe('a folder of recordings', () => {
  it('is no use when one of them is missing', () => {
    expect(recordedSessions(undefined)).toBeUndefined()
    expect(recordedSessions(folderWith({ 'pi/large-session.jsonl': '' }))).toBeUndefined()
  })

  it('is read in the forms that three programs leave behind', () => {
    const lines = (...records: object[]) => records.map((record) => JSON.stringify(record)).join('\n')
    const sessions = recordedSessions(
      folderWith({
        'claude-code/258c7280-ae70-4798-800f-63464d01a85d.jsonl': lines(
          { type: 'user', message: { role: 'user', content: 'Go.' } },
          { type: 'user', isSidechain: true, message: { role: 'user', content: 'Not this.' } },
          { type: 'assistant', message: { role: 'assistant', content: [call('a')] } },
          { type: 'user', message: { role: 'user', content: [result('a')] } },
          { type: 'user', isCompactSummary: true, message: { role: 'user', content: 'Nor this.' } },
          { type: 'assistant', message: { role: 'assistant', content: 'There.' } },
        ),
        'pi/large-session.jsonl': lines(
          { type: 'message', message: { role: 'user', content: [text('Go.')] } },
          {
            type: 'message',
            message: { role: 'assistant', content: [{ type: 'toolCall', id: 'a', name: 'read', arguments: { x: 1 } }] },
          },
          { type: 'message', message: { role: 'toolResult', toolCallId: 'a', content: [text('It.')], isError: false } },
          { type: 'message', message: { role: 'assistant', content: [text('There.')] } },
        ),
        'swe/django__django-15629.traj.json': JSON.stringify({
          messages: [
            { role: 'system', content: 'Be good.' },
            { role: 'user', content: 'Go.' },
            { role: 'assistant', content: 'I look.\n```bash\nls -la\n```' },
            { role: 'user', content: 'a b c' },
            { role: 'assistant', content: 'There.' },
          ],
        }),
      }),
    )
    expect(sessions?.map(({ exchanges }) => exchanges.map(({ answers }) => answers.length))).toEqual([[2], [2], [2]])
    const [, pi, trajectory] = sessions ?? []
    expect(pi?.exchanges[0]?.answers[0]).toEqual([{ type: 'tool_use', id: 'a', name: 'read', input: { x: 1 } }])
    const [said, command] = trajectory?.exchanges[0]?.answers[0] ?? []
    expect(said).toEqual(text('I look.'))
    expect(command).toMatchObject({ name: 'Bash', input: { command: 'ls -la' } })
    expect(trajectory?.results.get(String(command?.id))?.content).toBe('a b c')
  })
})

describe('seeded sessions', () => {
  it('are the same from run to run, and end after as many calls as asked', () => {
    expect(seededSessions({ turns: 9 })).toEqual(seededSessions({ turns: 9 }))
    expect(seededSessions({ turns: 9 }).map(({ results }) => results.size)).toEqual([9, 9, 9])
  })

  it('have the lengths that were measured, at and between the quantiles', () => {
    const lengths = [1, 10, 100, 1_000, 2_000, 4_000, 8_000, 12_000, 16_000]
    expect([0, 0.1, 0.5, 1].map((at) => draw(lengths, at))).toEqual([1, 10, 1_000, 16_000])
    expect(draw(lengths, 0.625)).toBe(Math.round(Math.sqrt(1_000 * 2_000)))
  })
})

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'nacre-bench-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}
