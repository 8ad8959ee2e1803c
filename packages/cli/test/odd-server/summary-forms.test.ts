import { compact } from '@nacre/compact'
import { createSession } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { expect, it, onTestFinished } from 'vitest'
import { chanceOf } from './chance.js'
import { words } from './odd-answers.js'
import { startOddServer } from './odd-server.js'

const SESSIONS = process.env.NACRE_SOAK === '1' ? 300 : 20

it('refuses no summary for its form: headings of any language, numbered or not, with or without the last one', async () => {
  const server = await startOddServer(true)
  onTestFinished(server.close)
  const rungs: unknown[] = []
  for (let seed = 1; seed <= SESSIONS; seed++) {
    const chance = chanceOf(seed)
    const { url, asked } = server.session(seed)
    const session = await createSession({
      model: anthropicModel({ model: 'claude-opus-4-5', apiKey: 'test', baseURL: url }),
      plugins: [compact()],
      details: { effects: { wait: () => undefined } },
    })
    for (let turn = 1; turn <= 6; turn++) {
      for await (const _ of session.query(`Go on with step ${turn} of src/${words(chance, 1)}.ts.`));
    }
    const outcome = await session.compact()
    rungs.push('receipt' in outcome ? `${outcome.receipt.rung} after ${asked.summaries}` : outcome)
    await session.close()
  }
  expect([...new Set(rungs)]).toEqual(['summary after 1'])
})
