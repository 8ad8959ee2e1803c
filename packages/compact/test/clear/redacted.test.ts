import { expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { hiding } from '../support/hiding.js'
import { resultsIn, workSession } from './work-session.js'

it('tells of a call whose input was redacted what stands there now', async () => {
  let time = 0
  const hide = hiding('token-', (block) => ({ ...block, input: { command: 'curl [hidden]' } }))
  const work = await workSession({
    calls: 7,
    result: () => 'long '.repeat(2_000),
    input: (number) => ({ command: `curl token-${number}` }),
    session: { plugins: [hide, compact()], details: { effects: { now: () => time, wait: () => undefined } } },
  })
  await work.run()
  time += 6 * 60_000
  await work.run('Go on.', 0)
  const { body = '' } = work.requests.at(-1) ?? {}
  expect(resultsIn(body)[0]).toMatch(/^\[Cleared: Read \(command: curl \[hidden\]\)/)
  expect(body).not.toContain('token-')
})
