import { rm, symlink } from 'node:fs/promises'
import type { Session } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { read, workingSession } from './working-session.js'

type Working = Awaited<ReturnType<typeof workingSession>>

const text = (name: string) => `${`${name} has many words in it. `.repeat(20)}\n`.repeat(20)

/** Reads files one after the other, then works on, so that all of it is folded. */
async function readAndFold({ work, write }: Working, session: Session, names: readonly string[]) {
  for (const name of names) {
    await write(name, text(name))
    await work(session, [read(name)])
  }
  await work(session)
  await work(session)
  const outcome = await session.compact()
  if (!outcome.edit) throw new Error(JSON.stringify(outcome))
  return outcome.edit.receipt?.restored ?? []
}

const restoredIn = ({ lastRequest }: Working) => [
  ...JSON.stringify(lastRequest().messages).matchAll(
    /<restored what=\\"([^"\\]+)\\" status=\\"(\w+)\\">\\n(.*?)<\/restored>/g,
  ),
]

describe('after a fold', { timeout: 30_000 }, () => {
  it('has the five files that were last worked with, newest first, as they are on disk by then', async () => {
    const working = await workingSession()
    const session = await working.start()
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `${name}.txt`)
    for (const name of names) await working.write(name, text(name))
    for (const name of names) await working.work(session, [read(name)])
    await working.write('g.txt', 'changed meanwhile\n')
    await working.work(session)
    await working.work(session)
    const outcome = await session.compact()
    expect(outcome.edit?.receipt?.leftOut).toEqual(
      ['b', 'a'].map((name) => {
        return { what: working.at(`${name}.txt`), owner: 'files', why: 'only the 5 worked with last come back' }
      }),
    )
    const restored = outcome.edit?.receipt?.restored.map(({ what, status, owner }) => ({ what, status, owner }))
    expect(restored).toEqual(
      ['g', 'f', 'e', 'd', 'c'].map((name) => ({ what: working.at(`${name}.txt`), status: 'live', owner: 'files' })),
    )
    await working.work(session)
    const [newest] = restoredIn(working)
    expect(newest?.[3]).toContain('     1\\tchanged meanwhile')
  })

  it('leaves out what is still in view, and instruction files', async () => {
    const working = await workingSession()
    const session = await working.start()
    for (const name of ['a.txt', 'AGENTS.md', 'b.txt']) await working.write(name, text(name))
    await working.work(session, [read('a.txt')], [read('AGENTS.md')])
    await working.work(session)
    // What was said since the last prompt stays, and b.txt with it.
    await working.work(session, [read('b.txt')])
    const outcome = await session.compact()
    expect(outcome.edit?.receipt?.restored.map(({ what }) => what)).toEqual([working.at('a.txt')])
  })

  it('says which of them are gone, and does not follow a link that came in their place', async () => {
    const working = await workingSession()
    const session = await working.start()
    for (const name of ['a.txt', 'b.txt', 'secret.txt']) await working.write(name, text(name))
    await working.work(session, [read('a.txt')], [read('b.txt')])
    await working.work(session)
    await working.work(session)
    await rm(working.at('a.txt'))
    await rm(working.at('b.txt'))
    await symlink('secret.txt', working.at('b.txt'))
    await session.compact()
    await working.work(session)
    const found = restoredIn(working)
    expect(found.map(([, what]) => what)).toEqual([working.at('b.txt'), working.at('a.txt')])
    for (const [, , , words] of found) expect(words).toContain('It can not be read any more')
  })

  it('cuts a long file, and brings files of before an earlier fold back too', async () => {
    const working = await workingSession()
    const session = await working.start()
    await working.write('long.txt', 'seven words are in this long line\n'.repeat(1_900))
    await working.work(session, [read('long.txt')])
    await readAndFold(working, session, ['a.txt'])
    // What comes back is never more than what was folded: so there has to be much of it.
    await working.write('more.txt', 'seven words are in this long line\n'.repeat(1_900))
    await working.work(session, [read('more.txt')])
    const again = await readAndFold(working, session, ['b.txt'])
    expect(again.map(({ what }) => what)).toEqual(['b.txt', 'more.txt', 'a.txt', 'long.txt'].map(working.at))
    expect(again.at(-1)?.tokens).toBeLessThan(7_500)
    expect(again.map(({ cut }) => cut)).toEqual([
      undefined,
      expect.stringMatching(/^lines 1 to \d+ of 1900$/),
      undefined,
      expect.stringMatching(/^lines 1 to \d+ of 1900$/),
    ])
    await working.work(session)
    expect(restoredIn(working).at(-1)?.[3]).toMatch(/Lines 1 to \d+ of 1900/)
  })

  it('does not let the model change a restored file before it has read it', async () => {
    const working = await workingSession()
    const session = await working.start()
    await readAndFold(working, session, ['a.txt'])
    const [result] = await working.work(session, [['Write', { file_path: 'a.txt', content: '' }]])
    expect(result).toMatch(/was not read/)
  })
})
