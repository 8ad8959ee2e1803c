import { memoryStore } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { edit, read, workingSession } from './working-session.js'

const NOT_READ = /was not read/
const UNCHANGED = /unchanged since you read it/

describe('what the model has seen', { timeout: 30_000 }, () => {
  it('counts as long as the view shows it, and is not shown twice', async () => {
    const { start, write, work, content } = await workingSession()
    await write('a.txt', 'one\n')
    const session = await start()
    expect(await work(session, [edit('a.txt', 'one', 'two')])).toEqual([expect.stringMatching(NOT_READ)])
    expect(await work(session, [read('a.txt')], [read('a.txt')])).toEqual([
      '     1\tone',
      expect.stringMatching(UNCHANGED),
    ])
    expect(await work(session, [edit('a.txt', 'one', 'two')])).toEqual([expect.stringMatching(/^Changed/)])
    expect(await work(session, [edit('a.txt', 'two', 'three')])).toEqual([expect.stringMatching(/^Changed/)])
    expect(await content('a.txt')).toBe('three\n')
  })

  it('no longer counts once its result was cleared: the file is read whole again', async () => {
    const { start, write, work } = await workingSession()
    await write('a.txt', 'one\n')
    const session = await start()
    await work(session, [read('a.txt')])
    await session.command('clear-results')
    expect(await work(session, [edit('a.txt', 'one', 'two')])).toEqual([expect.stringMatching(NOT_READ)])
    expect(await work(session, [read('a.txt')])).toEqual(['     1\tone'])
    expect(await work(session, [edit('a.txt', 'one', 'two')])).toEqual([expect.stringMatching(/^Changed/)])
  })

  it('does not count through a stub: without the result that it refers to, nothing was seen', async () => {
    const { start, write, work } = await workingSession()
    await write('a.txt', 'one\n')
    const session = await start()
    expect(await work(session, [read('a.txt')], [read('a.txt')])).toHaveLength(2)
    await session.command('clear-results', 'first')
    expect(await work(session, [edit('a.txt', 'one', 'two')])).toEqual([expect.stringMatching(NOT_READ)])
    await session.undo()
    expect(await work(session, [edit('a.txt', 'one', 'two')])).toEqual([expect.stringMatching(/^Changed/)])
  })

  it('no longer counts once it was folded, and counts again when the fold is undone', async () => {
    const { start, write, work } = await workingSession()
    await write('a.txt', `${'one '.repeat(2_000)}\n`)
    const session = await start()
    await work(session, [read('a.txt')])
    await work(session)
    await work(session)
    expect(await session.compact()).toHaveProperty('edit')
    expect(await work(session, [edit('a.txt', 'one one', 'two')])).toEqual([expect.stringMatching(NOT_READ)])
    await session.undo()
    expect(await work(session, [read('a.txt')])).toEqual([expect.stringMatching(UNCHANGED)])
  })

  it('is taken back by a rewind', async () => {
    const { start, write, work } = await workingSession()
    await write('a.txt', 'one\n')
    const session = await start()
    await work(session)
    await work(session, [read('a.txt')])
    const prompts = session.view().rounds.flatMap(({ entries }) =>
      entries.filter(({ content }) => {
        return content[0]?.text === 'Go on.'
      }),
    )
    await session.rewind(prompts[1]?.id ?? '')
    expect(await work(session, [edit('a.txt', 'one', 'two')])).toEqual([expect.stringMatching(NOT_READ)])
  })

  it('is known after a resume', async () => {
    const { start, write, work } = await workingSession()
    const store = memoryStore()
    await write('a.txt', 'one\n')
    const first = await start({ store, open: { id: 'one' } })
    await work(first, [read('a.txt')])
    await first.close()
    const second = await start({ store, open: { resume: 'one' } })
    expect(await work(second, [read('a.txt')])).toEqual([expect.stringMatching(UNCHANGED)])
    expect(await work(second, [edit('a.txt', 'one', 'two')])).toEqual([expect.stringMatching(/^Changed/)])
  })

  it('does not get lost among reads side by side, and their results keep their order', async () => {
    const { start, write, work, bodies } = await workingSession()
    await write('a.txt', Array.from({ length: 40 }, (_, line) => `line ${line + 1}\n`).join(''))
    const parts = Array.from({ length: 8 }, (_, part) => read('a.txt', { offset: part * 5 + 1, limit: 5 }))
    const session = await start()
    await work(session, parts)
    const sent = JSON.stringify(JSON.parse(bodies.at(-1) ?? '{}').messages)
    const order = [...sent.matchAll(/"text":" +(\d+)\\tline/g)].map(([, line]) => Number(line))
    expect(order).toEqual(parts.map((_, part) => part * 5 + 1))
    const again = await work(session, parts)
    expect(again).toHaveLength(8)
    for (const result of again) expect(result).toMatch(UNCHANGED)
  })
})
