import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { scripted } from '@nacre/simulator'
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

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

it('shows what commands printed and what was shown as classes of their own, and counts reads alone', async () => {
  const folders = makeFolders()
  writeFileSync(join(folders.cwd, 'dot.png'), Buffer.from(PIXEL, 'base64'))
  const file_path = 'part-1.ts'
  const calls = [
    { name: 'Read', input: { file_path } },
    { name: 'Grep', input: { pattern: 'export', path: file_path } },
    { name: 'Grep', input: { pattern: 'const', path: file_path } },
    { name: 'Read', input: { file_path: 'dot.png' } },
    { name: 'Bash', input: { command: 'cat part-1.ts' } },
  ]
  const turns = calls.map((call) => [{ type: 'tool_use' as const, ...call }])
  const session = await openForTest(folders, {
    model: scripted([...turns, 'Done.']),
    flags: { 'session-memory': false },
  })
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }
  for await (const event of session.opened.session.query([{ type: 'text', text: 'Look at it.' }, image]))
    if (event.type === 'end') expect(event).toMatchObject({ reason: 'done' })
  const text = await checkedContext(session)
  const classes = [...figuresIn(text, 'class').keys()].map((name) => name.slice(2))
  const wanted = ['media', 'media of Read', 'local command output of Bash', 'result Read', 'result Grep', 'call Bash']
  expect(classes).toEqual(expect.arrayContaining(wanted))
  const owners = [...figuresIn(text, 'owner').keys()]
  expect(owners).toEqual(expect.arrayContaining(['you', 'files', 'shell']))
  expect(owners.join()).not.toContain('gone')
  expect(text).not.toContain('read more than once')
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
