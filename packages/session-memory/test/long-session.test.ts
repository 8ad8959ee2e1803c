import { expect, it } from 'vitest'
import { setUp } from './support/set-up.js'
import { readFileTool, worker } from './support/worker.js'

it('compacts a long session by its notes alone, and goes on', async () => {
  const { start, simulator } = await setUp(worker())
  const { ask, receipts, session, events, file, notices } = await start({ tools: [readFileTool()] })
  const end = await ask('Read 600 files and say when you are done.')
  console.log(
    end,
    receipts.map((r) => [r.rung, r.tokens, r.checks, r.dollars]),
    session.cost('session_memory'),
    session.cost('main'),
  )
  console.log(
    events
      .filter((e) => e.type === 'relief' || e.type === 'cache-break')
      .map((e) => JSON.stringify(e))
      .slice(0, 20),
    notices,
  )
  console.log(simulator.ledger.totals('session_memory'), simulator.ledger.totals('main'))

  console.log(await session.command('memory session'))
  console.log(session.thresholds(), session.view().tokens)
  expect(end).toMatchObject({ reason: 'done' })
}, 60_000)
