import type { ModelTurn } from '@nacre/simulator'
import { expect, it } from 'vitest'
import { program } from '../support/program.js'
import { gate } from './gate.js'
import { idle } from './idle.js'
import { setUp } from './set-up.js'

const CTRL_C = '\u0003'
const memory = (input: object) => [{ type: 'tool_use' as const, name: 'memory', input }]

it('says that something is remembered, shows that it learns, and lists it', async () => {
  const learning = gate()
  const { start, simulator } = await setUp(async ({ source, signal }: ModelTurn) => {
    if (source !== 'extract_memories') return 'Noted.'
    await learning.wait(signal)
    return 'Nothing to keep.'
  })
  const terminal = start([], { columns: 120 })
  terminal.type('Remember that I prefer tabs over spaces.\r')
  await terminal.see(/Remembered: .*\. Take it back with: memory undo/s)
  await terminal.see('● Noted.')
  await idle(terminal)
  terminal.type('I always review pull requests in the morning.\r')
  await terminal.see(/· remembering…$/m)
  learning.open()
  await terminal.lose('remembering…')
  terminal.type('/memory list\r')
  await terminal.see(/\(m-\S+; \w+, you, in the index/)
  await idle(terminal)
  const spent = () => `$${simulator.ledger.totals().dollars.toFixed(4)} for`
  // What is learnt in the background may go on once more after the answer.
  do {
    terminal.type('/cost\r')
    await terminal.see(/^extract_memories +\d/m)
    await idle(terminal)
  } while (!terminal.text().includes(spent()))
})

it('shows how far a dream is while the conversation goes on, and kills it', async () => {
  const answers = [memory({ command: 'view', path: '/memories' }), memory({ command: 'search', query: 'release' })]
  const { start, place } = await setUp(async ({ source, signal }: ModelTurn) => {
    if (source !== 'dream') return 'Still here.'
    const next = answers.shift()
    if (next) return next
    await gate().wait(signal)
    return 'Never.'
  })
  await program.run(['memory', 'add', 'The release is frozen until 2026-12-01', '--project'], place)
  const terminal = start([], { columns: 120 })
  await idle(terminal)
  terminal.type('/dream\r')
  await terminal.see('A dream begins.')
  await terminal.see(/· dreaming: gather$/m)
  await idle(terminal)
  terminal.type('are you there?\r')
  await terminal.see('● Still here.')
  await idle(terminal)
  terminal.type('/dream status\r')
  await terminal.see(/a dream runs since/)
  await idle(terminal)
  terminal.type('/dream kill\r')
  await terminal.see('The dream was stopped; nothing of it was kept.')
  await terminal.lose('dreaming')
})

it('ends a dream with the session, and leaves nothing of it', async () => {
  const { start, place } = await setUp(async ({ signal }: ModelTurn) => {
    await gate().wait(signal)
    return 'Never.'
  })
  await program.run(['memory', 'add', 'The release is frozen until 2026-12-01', '--project'], place)
  const terminal = start([], { columns: 120 })
  await idle(terminal)
  terminal.type('/dream\r')
  await terminal.see(/· dreaming/)
  terminal.type(CTRL_C + CTRL_C)
  expect(await terminal.exit).toBe(0)
  const { stdout } = await program.run(['dream', 'status', '--json'], place)
  expect(JSON.parse(stdout).folders[0].last).toMatchObject({ status: 'killed' })
})

it('asks a person before it purges, and takes no for an answer', async () => {
  const { start, place } = await setUp([])
  const added = await program.run(['memory', 'add', 'The release is frozen until 2026-12-01', '--json'], place)
  const { id } = JSON.parse(added.stdout).memory as { readonly id: string }
  for (const [answer, said, code, left] of [
    ['no', 'Nothing was purged.', 1, 1],
    ['yes', 'is gone from the folder', 0, 0],
  ] as const) {
    const terminal = start(['memory', 'purge', id], { columns: 120 })
    await terminal.see('It can not be undone. (yes/no)')
    terminal.type(`${answer}\r`)
    await terminal.see(said)
    expect(await terminal.exit).toBe(code)
    const { stdout } = await program.run(['memory', 'list', '--json'], place)
    expect(JSON.parse(stdout)).toHaveLength(left)
  }
})
