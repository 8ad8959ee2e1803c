import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { figuresIn } from './support/figures-in.js'
import { makeFolders } from './support/make-folders.js'
import { OTHER_MODEL, openForTest, type TestSession } from './support/open-for-test.js'

/** `/context`, once it has been found to say what the API counted for the last answer of the conversation. */
async function checkedContext({ run, requests }: Pick<TestSession, 'run' | 'requests'>): Promise<string> {
  const { text } = await run('/context')
  const last = requests.findLast(({ source }) => source === 'main')
  const counted = (last?.input ?? 0) + (last?.read ?? 0) + (last?.write5m ?? 0) + (last?.output ?? 0)
  expect(counted).toBeGreaterThan(0)
  expect(text).toMatch(new RegExp(`^${counted.toLocaleString('en-US')} of 200,000 tokens`))
  expect(text).not.toContain('estimated')
  for (const title of ['class', 'owner']) {
    const rows = figuresIn(text, title)
    const parts = [...rows].filter(([name]) => name !== 'total').map(([, { tokens = 0 }]) => tokens)
    expect(parts.reduce((sum, tokens) => sum + tokens, 0)).toBe(counted)
  }
  expect(figuresIn(text, 'class').get('total')).toMatchObject({ tokens: counted })
  return text
}

it('has the total that the API counted, and classes and owners that sum to it', async () => {
  const session = await openForTest(makeFolders())
  await session.ask('Read 8 files, please.')
  const text = await checkedContext(session)
  expect([...figuresIn(text, 'owner').keys()]).toEqual(expect.arrayContaining(['files', 'you', 'the model']))
  const twice = figuresIn(text, 'read more than once')
  expect([...twice.keys()]).toEqual(['part-1.ts', 'part-2.ts'])
  expect(twice.get('part-1.ts')).toMatchObject({ reads: 2 })
})

it('has it after a compaction, an undo, a rewind, with another model and after a resume', async () => {
  const folders = makeFolders()
  const first = await openForTest(folders, { flags: { 'session-memory': false } })
  const { ask, run } = first
  await ask('Read 5 files, please.')
  for (const line of ['/compact', '/undo', '/rewind 2', `/model ${OTHER_MODEL}`]) {
    expect((await run(line)).isError, line).toBeUndefined()
    await ask('Thank you.')
    await checkedContext(first)
  }
  await first.opened.close()
  const { simulator, opened } = first
  const second = await openForTest(folders, { open: { resume: opened.session.id }, simulator })
  await checkedContext({ ...second, requests: first.requests })
  await second.ask('Read 1 files, please.')
  await checkedContext(second)
})

it('adds what came since the last response, and says that it is an estimate', async () => {
  const { ask, run, requests, opened } = await openForTest(makeFolders(), {
    plugins: [
      {
        name: 'talkative',
        setup: () => ({
          hooks: { Stop: (_event, { note }) => note({ text: 'A word. '.repeat(200), trust: 'content' }) },
        }),
      },
    ],
  })
  await ask('Read 1 files, please.')
  const last = requests.findLast(({ source }) => source === 'main')
  const counted = (last?.input ?? 0) + (last?.read ?? 0) + (last?.write5m ?? 0) + (last?.output ?? 0)
  const { total, estimated } = opened.session.view().tokens
  expect(estimated).toBeGreaterThan(300)
  expect(total).toBe(counted + estimated)
  const { text } = await run('/context')
  expect(text).toContain(`${estimated.toLocaleString('en-US')} of them are estimated`)
  const classes = [...figuresIn(text, 'class')].filter(([name]) => name !== 'total')
  expect(classes.reduce((sum, [, { tokens = 0 }]) => sum + tokens, 0)).toBe(total)
  expect([...figuresIn(text, 'owner').keys()]).toContain('talkative')
})

it('draws the window as a grid, in colours or in letters', async () => {
  const { ask, run } = await openForTest(makeFolders())
  await ask('Read 8 files, please.')
  const plain = gridIn((await run('/context')).text)
  const cells = plain.join('')
  expect(plain).toHaveLength(5)
  expect(cells).toMatch(/^a+b+c*·+▒+$/)
  // A tenth of the window is used, and compaction begins at 167,000 of 200,000.
  expect([...cells].filter((cell) => /[a-z]/.test(cell))).toHaveLength(Math.round(cells.length * 0.1028))
  expect([...cells].filter((cell) => cell === '▒')).toHaveLength(33)
  const coloured = (await run('/context', { hasColour: true })).text
  expect(coloured).toContain('\u001b[34m█\u001b[39m')
  expect(gridIn(stripVTControlCharacters(coloured)).join('')).toMatch(/^█+·+▒+$/)
})

function gridIn(text: string): string[] {
  return text.split('\n\n')[1]?.split('\n') ?? []
}

describe('what is left', () => {
  const NOTHING = { compact: false, 'session-memory': false }

  it('is until the compaction, or until no prompt is taken where nothing compacts', async () => {
    const session = await openForTest(makeFolders())
    expect((await session.run('/context')).text).toMatch(/\d left until it is compacted at 167,000\./)
    const alone = await openForTest(makeFolders(), { flags: NOTHING })
    expect((await alone.run('/context')).text.replace(/\s+/g, ' ')).toMatch(
      /Nothing compacts it by itself: [\d,]+ left until no prompt is taken, at 177,000\./,
    )
  })

  it('is nothing where it is full, with what makes room', async () => {
    const model = () => 'Many more words. '.repeat(1_200)
    const { run, ask } = await openForTest(makeFolders(), { flags: NOTHING, model, window: 30_000 })
    let end = await ask('Go on.')
    for (let turn = 0; turn < 12 && end?.type === 'end' && end.reason === 'done'; turn++) end = await ask('Go on.')
    expect(end).toMatchObject({ type: 'end', reason: 'blocked', error: { code: 'PROMPT_TOO_LONG' } })
    const { text } = await run('/context')
    expect(text.replace(/\s+/g, ' ')).toMatch(
      /It is above 26,550: no prompt is taken until \/clear, \/rewind, \/undo or \/model has made room\./,
    )
    await run('/clear')
    expect(await ask('Go on.')).toMatchObject({ reason: 'done' })
  })
})
