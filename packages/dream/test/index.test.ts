import { expect, it } from 'vitest'
import { editIndex, fitIndex, indexLine, pointersIn } from '../src/memory/index-file.js'
import { writeMemory } from '../src/memory/memory.js'
import { given } from './support/memories.js'
import { ask, byTask, setStage } from './support/stage.js'

it('keeps lines under 150 characters, whatever a memory is called', () => {
  for (const name of ['Short', 'A '.repeat(100), '名前'.repeat(80), '[x](y)']) {
    const line = indexLine({ name, path: 'a-file.md', description: 'word '.repeat(60) })
    expect([...line].length).toBeLessThan(150)
    expect(pointersIn(line)).toEqual(['a-file.md'])
  }
})

it('edits its own lines and leaves what a person wrote between them', () => {
  const index = '# My memory\n\nRead this first.\n- [A](a.md) — one\n## More\n- [B](b.md) — two\n'
  const edited = editIndex(index, {
    take: ['a.md'],
    put: [
      { name: 'B', path: 'b.md', description: 'new words' },
      { name: 'C', path: 'c.md', description: '' },
    ],
  })
  expect(edited).toBe('# My memory\n\nRead this first.\n## More\n- [B](b.md) — new words\n- [C](c.md)\n')
})

it('leaves out what is least used and oldest, by lines and by bytes, and counts it', () => {
  const line = (number: number) => ({
    line: `- [M${number}](m${number}.md) — ${'x'.repeat(100)}`,
    isPinned: number === 0,
    uses: number % 7,
    day: `2026-01-${String((number % 28) + 1).padStart(2, '0')}`,
  })
  const lines = Array.from({ length: 500 }, (_, number) => line(number))
  const { lines: shown, leftOut } = fitIndex(lines)
  expect(shown).toHaveLength(200)
  expect(leftOut).toBe(300)
  expect(shown[0]).toContain('M0')
  const used = shown.map((each) => Number(/M(\d+)/.exec(each)?.[1]) % 7)
  expect(Math.min(...used.slice(1))).toBeGreaterThanOrEqual(3)
  const wide = fitIndex(lines.slice(0, 190).map((each) => ({ ...each, line: `${each.line}${'é'.repeat(100)}` })))
  expect(wide.leftOut).toBeGreaterThan(0)
  expect(Buffer.byteLength(wide.lines.join('\n'))).toBeLessThanOrEqual(25_000)
})

it('tells of what has no room in the prompt, and the next dream is told', async () => {
  const stage = await setStage(byTask({ dream: () => 'Nothing to do.' }))
  const repository = await (await stage.memories()).folders.project.repository()
  const memories = Array.from({ length: 220 }, (_, number) =>
    given({ id: `m${number}`, text: `Word number ${number} of the glossary.` }),
  )
  const index = memories.map((memory) => indexLine(memory)).join('\n')
  await repository.change(
    { by: 'person', summary: 'Many' },
    () => new Map([...memories.map((memory) => [memory.path, writeMemory(memory)] as const), ['MEMORY.md', index]]),
  )
  const session = await stage.open()
  const notices: string[] = []
  session.events.on('notice', ({ notice }) => notices.push(notice.text))
  await ask(session, 'Hello.')
  const entries = []
  for await (const entry of (await session.inspect()).entries()) if (entry.kind === 'notice') entries.push(entry.text)
  expect(entries.join()).toContain('20 lines of the memory index have no room')
  const { system } = JSON.parse(stage.exchanges[0]?.body ?? '{}') as { system: unknown }
  expect(JSON.stringify(system)).toContain('20 more have no room here')
  await session.command('dream')
  expect(stage.exchanges.at(-1)?.body).toContain('20 lines of the index have no room')
  expect(await (await stage.memories()).list()).toHaveLength(220)
})
