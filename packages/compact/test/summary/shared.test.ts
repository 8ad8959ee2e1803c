import { definePlugin } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { begin, lastRequest, listen, messagesOf, nine, say, work } from './summary-session.js'

describe('a summary on the shared cache', () => {
  it('extends the last request to the byte and reads all of it from the cache', async () => {
    const worked = await work({ window: 20_000, calls: 14 })
    const inputs: { source: string; input: number; read: number; write5m: number }[] = []
    worked.simulator.observe(({ entry }) => inputs.push(entry))
    const session = await begin(worked)
    const told = listen(session)
    expect(await say(session, 'Read all of it.')).toBe('done')
    expect(told.verdicts()[0]).toBe('shared taken')
    const at = worked.requests.findIndex(({ source }) => source === 'compact')
    const before = worked.requests[at - 1]
    const asked = worked.requests[at]
    expect(before?.source).toBe('main')
    expect(messagesOf(asked?.body ?? '').startsWith(messagesOf(before?.body ?? '').slice(0, -1))).toBe(true)
    const main = inputs[at - 1]
    const fork = inputs[at]
    expect(fork?.read).toBeGreaterThanOrEqual((main?.input ?? 0) + (main?.read ?? 0) + (main?.write5m ?? 0))
    expect(fork?.write5m).toBe(0)
    expect(worked.requests.every(({ status }) => status === 200)).toBe(true)
    expect(lastRequest(worked)).toContain('Read all of it.')
  })

  it('extends it also when old results were cleared right before, and then reads them as they were', async () => {
    const worked = await work({ window: 20_000, calls: 12, summary: () => nine({ 3: 'In lib/seen-once.ts.' }) })
    const inputs: { input: number; read: number; write5m: number }[] = []
    worked.simulator.observe(({ entry }) => inputs.push(entry))
    const session = await begin(worked, { plugins: [compact(), trimming] })
    const told = listen(session)
    expect(await say(session, 'Read all of it.')).toBe('done')
    expect(told.events.some((event) => event.type === 'edit' && event.edit.owner === 'trimming')).toBe(true)
    expect(told.verdicts()[0]).toBe('shared taken')
    const at = worked.requests.findIndex(({ source }) => source === 'compact')
    const [before, asked] = worked.requests.slice(at - 1, at + 1)
    expect(messagesOf(asked?.body ?? '').startsWith(messagesOf(before?.body ?? '').slice(0, -1))).toBe(true)
    const [main, fork] = inputs.slice(at - 1, at + 1)
    expect(fork?.read).toBeGreaterThanOrEqual((main?.input ?? 0) + (main?.read ?? 0) + (main?.write5m ?? 0))
    expect(worked.requests.every(({ status }) => status === 200)).toBe(true)
    const receipt = told.events.find((event) => event.type === 'receipt')?.receipt
    expect(receipt?.checks).toContainEqual({ name: 'paths', ok: true, detail: '1 named' })
  })
})

/** Takes the first result out under pressure, which is never enough. */
const trimming = definePlugin({
  name: 'trimming',
  setup: () => ({
    reliefs: [
      {
        name: 'trimming',
        rung: 'clear',
        offer(view, { pressure }) {
          const [first] = view.rounds
          const result = first?.entries.find(({ content }) => content[0]?.type === 'tool_result')
          const target = result && { entry: result.id, block: 0 }
          if (pressure === 'idle' || !first || !target || view.shows(target) !== 'whole') return undefined
          const shown = { ...result.content[0], type: 'tool_result', content: [{ type: 'text', text: 'Trimmed.' }] }
          const changes = [{ kind: 'replace' as const, target, content: [shown] }]
          return { span: first.span, frees: 100, dollars: 0, draft: () => ({ changes, reason: 'trimmed' }) }
        },
      },
    ],
  }),
})
