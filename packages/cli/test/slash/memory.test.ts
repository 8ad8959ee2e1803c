import { dream } from '@nacre/dream'
import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { completeSlashCommand } from '../../src/slash/slash-commands.js'
import { gate } from '../screen/gate.js'
import { makeFolders } from './support/make-folders.js'
import { openForTest, type TestOptions } from './support/open-for-test.js'

async function openWithMemory(options: TestOptions = {}) {
  const folders = makeFolders()
  return openForTest(folders, { plugins: [dream({ home: folders.home, project: folders.cwd })], ...options })
}

describe('/memory', () => {
  it('lists, adds, finds and takes back, in the words of the plugin', async () => {
    const { run } = await openWithMemory()
    expect((await run('/memory')).text).toMatch(/^There are no memories yet\.[\s\S]*\/memory session/)
    expect((await run('/memory add I prefer tabs over spaces --person')).text).toContain('Saved: I prefer tabs over')
    expect((await run('/memory search tabs')).text).toContain('I prefer tabs over spaces')
    expect((await run('/memory undo')).text).toContain('Undone: ')
    expect((await run('/memory list')).text).toBe('There are no memories yet.')
  })

  it('means the longest name of a command: the notes of the session, the inbox, what would be recalled', async () => {
    const { run } = await openWithMemory()
    expect((await run('/memory session')).text).toContain('There are no notes yet')
    expect((await run('/memory inbox')).text).toBe('Nothing waits for you.')
    expect((await run('/memory recall tabs')).text).toBe('None fits.')
  })

  it('completes its words and those of other layers, and explains each', async () => {
    const { run, context } = await openWithMemory()
    const lines = (typed: string) => completeSlashCommand(typed, context).map(({ line }) => line)
    expect(lines('/memory s')).toEqual(['/memory search', '/memory session', '/memory show'])
    expect(lines('/memory p')).toEqual(['/memory pause', '/memory pin', '/memory purge'])
    expect(lines('/dre')).toEqual(['/dream'])
    expect(lines('/dream ')).toEqual(['/dream status', '/dream kill', '/dream --dry-run', '/dream --person'])
    expect((await run('/help memory', { width: 160 })).text).toContain('/memory purge <memory>')
  })

  it('says what is wrong, and changes nothing', async () => {
    const { run } = await openWithMemory()
    await run('/memory add I prefer tabs over spaces --person')
    expect(await run('/memory shwo x', { width: 200 })).toMatchObject({
      isError: true,
      text: expect.stringContaining("Did you mean 'show'?"),
    })
    expect(await run('/memory show zebra')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^There is no memory 'zebra'/),
    })
    expect(await run('/memory edit x')).toMatchObject({
      isError: true,
      text: expect.stringContaining('nacre memory edit x'),
    })
    expect(await run('/memory purge tabs')).toMatchObject({ isError: true, text: expect.stringContaining('--yes') })
    expect((await run('/memory list')).text).toContain('I prefer tabs')
    await run('/flags dream off')
    expect(await run('/memory list')).toMatchObject({ isError: true, text: expect.stringContaining('/flags dream on') })
    expect(await run('/dream')).toMatchObject({ isError: true, text: expect.stringContaining('/flags dream on') })
  })
})

describe('/dream', () => {
  it('goes on behind the conversation, which tells what came of it', async () => {
    const { run, ask } = await openWithMemory({ model: scripted(() => 'Fine.') })
    await run('/memory add The release is frozen until 2026-12-01 --type project')
    const { text, later } = await run('/dream')
    expect(text).toContain('A dream begins.')
    await ask('Well?')
    expect((await later?.done)?.text).toContain('The dream is over')
    expect((await run('/dream status', { width: 200 })).text).toContain('the last dream was on')
    expect((await run('/cost')).text).toMatch(/^dream +1 /m)
  })

  it('is killed by a word, and by whoever ends the session', async () => {
    const held = gate()
    const { run } = await openWithMemory({
      model: async ({ signal }) => {
        await held.wait(signal)
        return 'Never.'
      },
    })
    await run('/memory add The release is frozen until 2026-12-01 --type project')
    const first = await run('/dream')
    expect((await run('/dream kill')).text).toContain('The dream is being stopped')
    expect((await first.later?.done)?.text).toContain('The dream was stopped; nothing of it was kept.')
    const second = await run('/dream')
    second.later?.stop()
    expect((await second.later?.done)?.text).toContain('The dream was stopped')
    expect((await run('/dream kill')).text).toBe('No dream runs in this session.')
    expect(await run('/dream now')).toMatchObject({ isError: true })
  })
})
