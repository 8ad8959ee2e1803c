import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compact } from '@nacre/compact'
import { createSession, definePlugin, type Id, type Receipt, resolveModel, type Tool, type View } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { sessionMemory } from '@nacre/session-memory'
import { asksForSummary, offline, type SimulatedModel, startSimulator, summarize } from '@nacre/simulator'
import { expect, it, onTestFinished } from 'vitest'

const CALLS = 600

interface Fold {
  readonly receipt: Receipt
  readonly before: View
  readonly after: View
}

/** Looks at the view before and after each fold. */
function watching(folds: Fold[]) {
  return definePlugin({
    name: 'watching',
    setup() {
      let before: View | undefined
      return {
        hooks: {
          PostCompact: (_event, context) => {
            before = context.view()
          },
          ViewChanged: ({ edit: { receipt }, view }) => {
            if (receipt && before) folds.push({ receipt, before, after: view })
          },
        },
      }
    },
  })
}

/** Calls a tool so often, and lets the offline model write notes and summaries. */
function worker(): SimulatedModel {
  const notes = offline()
  let calls = 0
  return (turn) => {
    if (turn.source === 'session_memory') return notes(turn)
    if (asksForSummary(turn)) return summarize(turn)
    if (calls >= CALLS) return 'Done.'
    calls += 1
    return ['Next.', { type: 'tool_use', name: 'measure', input: { number: calls } }]
  }
}

const measure: Tool = {
  name: 'measure',
  description: 'Measures something.',
  schema: { json: { type: 'object' }, parse: (input) => input },
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: (input) => ({
    content: [{ type: 'text', text: `${JSON.stringify(input)} ${'level 42 and steady, '.repeat(40)}` }],
  }),
}

it('needs a model call for no more than a fifth of the compactions, and keeps what the notes do not cover', async () => {
  const simulator = await startSimulator({ model: worker() })
  onTestFinished(() => simulator.close())
  const home = mkdtempSync(join(tmpdir(), 'nacre-notes-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const folds: Fold[] = []
  const limits: number[] = []
  const timer = (milliseconds: number, fire: () => void) => {
    const handle = setTimeout(() => {
      limits.push(milliseconds)
      fire()
    }, milliseconds)
    return () => clearTimeout(handle)
  }
  const model = resolveModel('claude-sonnet-4-6', { window: 60_000 })
  const session = await createSession({
    model: anthropicModel({ model, apiKey: 'test', baseURL: simulator.url }),
    tools: [measure],
    plugins: [sessionMemory({ home, timer }), compact(), watching(folds)],
    details: { effects: { wait: () => undefined } },
  })
  onTestFinished(() => session.close())
  const prompt = 'Measure 600 times, and never touch the valve.'
  let end = ''
  for await (const event of session.query(prompt)) if (event.type === 'end') end = event.reason
  expect(end).toBe('done')
  expect(simulator.ledger.totals().failed).toBe(0)

  const byNotes = folds.filter(({ receipt }) => receipt.rung === 'notes')
  expect(folds.length).toBeGreaterThanOrEqual(3)
  expect(byNotes.length / folds.length).toBeGreaterThanOrEqual(0.8)
  // None of them has waited until its limit.
  expect(limits).toEqual([])
  for (const { receipt, before, after } of byNotes) {
    expect(receipt.checks).toMatchObject([
      { name: 'coverage', detail: expect.stringMatching(/^covers up to turn \d+$/) },
    ])
    const { covers } = before.state('session-memory', 'coverage') as { covers: Id }
    const entries = before.rounds.flatMap((round) => round.entries)
    const uncovered = entries.slice(entries.findIndex(({ id }) => id === covers) + 1)
    expect(uncovered.length).toBeGreaterThan(0)
    const shown = (view: View) =>
      uncovered.map(({ id, content }) => content.map((_, block) => view.shown({ entry: id, block })))
    expect(shown(after)).toEqual(shown(before))
    expect(JSON.stringify(after.rounds)).toContain(prompt)
  }
})
