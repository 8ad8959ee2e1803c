import { scripted } from '@nacre/simulator'
import { expect, it } from 'vitest'
import { definePlugin } from '../../src/types/plugin.js'
import { eventsOf, setUp } from '../session/setup.js'

const call = (path: string) => ({ type: 'tool_use' as const, name: 'read_file', input: { path } })
const reminding = definePlugin({
  name: 'reminding',
  setup: () => ({
    hooks: { UserPromptSubmit: (_event, { note }) => note({ text: 'Mind the tests. '.repeat(20), trust: 'content' }) },
  }),
})

it('sorts the context by what fills it, sums to what the API counted, and finds files that were read twice', async () => {
  const { start } = await setUp(scripted([[call('a.ts')], [call('b.ts'), call('a.ts')], 'Read.']))
  const session = await start({ plugins: [reminding], system: 'You read files. '.repeat(50) })
  await eventsOf(session.query('Read a, b and a again.'))
  const { total, classes, duplicates } = await session.accounting()
  expect(total).toBe(session.view().tokens.total)
  expect(classes.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(total)
  const names = classes.map(({ name }) => name)
  expect(names[0]).toBe('result read_file')
  for (const name of ['system', 'tools', 'human', 'assistant', 'call read_file', 'note of reminding'])
    expect(names).toContain(name)
  expect(duplicates).toMatchObject([{ path: 'a.ts', reads: 2 }])
  expect(duplicates[0]?.wasted).toBeGreaterThan(300)
})
