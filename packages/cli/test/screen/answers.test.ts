import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { idle } from './idle.js'
import { setUp } from './set-up.js'

const ESCAPE = '\u001b'

it('shows an answer while it comes, in Markdown, and keeps what has come where it is interrupted', async () => {
  const list = Array.from({ length: 100 }, (_, item) => `- item ${item} **bold**`).join('\n')
  let turns = 0
  const { start, simulator } = await setUp(() => (turns++ === 0 ? `# Title\n\n${list}` : 'The rest.'))
  simulator.faults.add({ kind: 'stall', amount: 40, source: 'main' })
  const terminal = start()
  terminal.type('say much\r')
  await terminal.see('● Title')
  await terminal.see('• item 0 bold')
  await terminal.until(() => /Working \d+s · Esc interrupts/.test(terminal.screen()), 'an answer that is not over')
  expect(terminal.text()).not.toContain('item 99')
  terminal.type(ESCAPE)
  await terminal.see('Interrupted.')
  await idle(terminal)
  expect(terminal.text()).toMatch(/● Title\n\n {2}• item 0 bold\n/)
  expect(terminal.text().match(/item 0 bold/g)).toHaveLength(1)
  terminal.type('\r')
  await terminal.see('The rest.')
})

it('shows what a change of a file takes out and puts in, before and after', async () => {
  const change = { file_path: 'list.txt', old_string: 'two\n', new_string: 'zwei\n' }
  const { start, place } = await setUp([
    [{ type: 'tool_use', name: 'Read', input: { file_path: 'list.txt' } }],
    [{ type: 'tool_use', name: 'Edit', input: change }],
    'Changed.',
  ])
  const file = join(place.cwd, 'list.txt')
  await writeFile(file, 'one\ntwo\nthree\n')
  const terminal = start()
  terminal.type('change it\r')
  await terminal.see('May it run? Edit list.txt')
  expect(terminal.screen()).toContain('May it run? Edit list.txt\n-two\n+zwei\nIt would')
  terminal.type('\r')
  await terminal.see('● Changed.')
  await idle(terminal)
  expect(terminal.text()).toMatch(
    /✓ Edit list\.txt\n {2}.*1 added, 1 removed\n {2}@@ .*\n {3}one\n {2}-two\n {2}\+zwei\n {3}three\n/,
  )
  expect(terminal.raw()).toMatch(new RegExp(`${ESCAPE}\\[31m-two${ESCAPE}\\[39m`))
  expect(terminal.raw()).toMatch(new RegExp(`${ESCAPE}\\[32m\\+zwei${ESCAPE}\\[39m`))
  expect(await readFile(file, 'utf8')).toBe('one\nzwei\nthree\n')
})
