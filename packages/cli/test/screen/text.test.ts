import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { fromHome } from '../../src/screen/conversation/message-lines.js'
import { keyReader } from '../../src/screen/input/read-terminal.js'
import { liveLines, statusLine } from '../../src/screen/paint/live-lines.js'
import { screenStore } from '../../src/screen/state/screen-state.js'
import { paintLine } from '../../src/screen/text/lines.js'
import { renderMarkdown, splitFinished } from '../../src/screen/text/markdown.js'

const shown = (markdown: string, width: number) =>
  renderMarkdown(markdown, width)
    .map((line) => paintLine(line, false))
    .join('\n')

describe('Markdown on the screen', () => {
  it('shows headings, nested lists, tasks, quotes, links and code', () => {
    const text = [
      '## Title',
      '1. one\n   - inner *soft*\n2. two',
      '- [x] done\n- [ ] open',
      '> quoted',
      'See [the docs](https://example.org) or <https://example.com>.',
      '```ts\nif (a) {\n  b()\n}\n```',
    ].join('\n\n')
    expect(shown(text, 60)).toBe(
      [
        'Title',
        '1. one\n   • inner soft\n2. two',
        '☑ done\n☐ open',
        '│ quoted',
        'See the docs (https://example.org) or https://example.com.',
        '  if (a) {\n    b()\n  }',
      ].join('\n\n'),
    )
  })

  it.each([8, 12, 20, 33, 80])('fits a table and wide letters into %i columns', (width) => {
    const text =
      '| name | 意味 |\n|---|---|\n| alpha | 日本語のとても長いテキスト |\n| beta | a_word_that_has_no_break_at_all |'
    for (const line of shown(text, width).split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width)
  })

  it('lets no text move the cursor or change colours', () => {
    const evil = 'a \u001b[2J\u001b]0;title\u0007 `\u001b[31mred` \u202eback\n\n    \u001b[1A code'
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
    expect(shown(evil, 40)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  })

  it('prints a block only once nothing can change it any more', () => {
    expect(splitFinished('One.\n\nTwo')).toEqual({ finished: 'One.\n\n', rest: 'Two' })
    expect(splitFinished('- a\n- b')).toEqual({ finished: '', rest: '- a\n- b' })
    expect(splitFinished('```\na\n\nb')).toEqual({ finished: '', rest: '```\na\n\nb' })
  })
})

it('names a folder from the home where it is in there', () => {
  const named = ['/home/ada/shop', '/home/ada', '/home/adam', '/srv'].map((folder) => fromHome(folder, '/home/ada'))
  expect(named).toEqual(['~/shop', '~', '/home/adam', '/srv'])
})

describe('keys', () => {
  it('reads what a terminal sends, however it is cut', () => {
    const whole = 'a\u001b[A\u001b[200~x\r\ny\u001b[201~\r\u0003é\u001b[99~'
    const names = (pieces: readonly string[]) => {
      const reader = keyReader()
      return pieces.flatMap((piece) => reader.read(piece)).map((key) => (key.kind === 'press' ? key.name : key.text))
    }
    const expected = ['a', 'up', 'x\ny', 'enter', 'ctrl-c', 'é']
    expect(names([whole])).toEqual(expected)
    expect(names(whole.split(''))).toEqual(expected)
  })

  it('takes an escape that stays alone for the key', () => {
    const reader = keyReader()
    expect(reader.read('\u001b')).toEqual([])
    expect(reader.isWaiting).toBe(true)
    expect(reader.flush()).toEqual([{ kind: 'press', name: 'escape' }])
  })
})

describe('what is below the finished output', () => {
  it.each([
    [20, 6],
    [8, 4],
    [200, 50],
  ])('never fills a terminal of %i columns and %i rows', (columns, rows) => {
    const store = screenStore()
    store.change({
      queue: ['one', 'two', 'three', 'four'],
      editor: { text: 'long text '.repeat(60), cursor: 300 },
      live: {
        answer: [[{ text: 'word '.repeat(100) }]],
        calls: [{ id: '1', title: 'Read a file', progress: 'line' }],
        agents: [],
        tasks: ['notes'],
        work: { label: 'Working', since: 0 },
      },
    })
    const { lines, cursor } = liveLines(store.state(), { columns, rows, now: 5_000 })
    expect(lines.length).toBeLessThan(rows)
    for (const line of lines) expect(stringWidth(paintLine(line, false))).toBeLessThanOrEqual(columns)
    expect(cursor.y).toBeLessThan(lines.length)
    expect(cursor.x).toBeLessThan(columns)
  })

  it.each([
    'claude-opus-5-5 · plan · 81% context left · cache 93% · $0.0412 · warm 5m · notes',
    'plan · 81% context left · cache 93% · $0.0412 · warm 5m · notes',
    'plan · 81% left · $0.04 · warm 5m · notes',
    'plan · 81% left · $0.04 · notes',
    'plan · 81% left',
    '81% left',
  ])('says as much of the status as fits, and cuts no figure: %s', (expected) => {
    const store = screenStore()
    const status = { model: 'claude-opus-5-5', mode: 'plan', percentLeft: 81, hitRate: 0.93, dollars: 0.0412 }
    const { live } = store.state()
    store.change({ status: { ...status, cacheUntil: 290_000 }, live: { ...live, tasks: ['notes'] } })
    const said = paintLine(statusLine(store.state(), expected.length, 0), false)
    expect(said).toBe(expected)
    expect(paintLine(statusLine(store.state(), expected.length - 1, 0), false)).not.toBe(expected)
  })

  it.each([
    [80, 'claude-opus-5-5 · 81% context left · cache 93% · $0.0412 · warm 5m · no sandbox'],
    [40, '81% left · $0.04 · warm 5m · no sandbox'],
    [32, '81% left · $0.04 · no sandbox'],
    [24, '81% left · no sandbox'],
    [20, '81% left'],
  ])('says in %i columns where commands run, as long as there is room', (width, expected) => {
    const store = screenStore()
    const status = { model: 'claude-opus-5-5', mode: 'default', percentLeft: 81, hitRate: 0.93, dollars: 0.0412 }
    store.change({ status: { ...status, place: 'no sandbox', cacheUntil: 290_000 } })
    expect(paintLine(statusLine(store.state(), width, 0), false)).toBe(expected)
  })

  it.each([
    [0, 'warm 5m'],
    [240_000, 'warm 1m'],
    [241_000, 'warm <1m'],
    [300_000, 'cold'],
  ])('tells at %i ms how long the cache still holds', (now, expected) => {
    const store = screenStore()
    const status = { model: 'm', mode: 'default', percentLeft: 99, hitRate: 0, dollars: 2, cacheUntil: 300_000 }
    store.change({ status })
    expect(paintLine(statusLine(store.state(), 80, now), false)).toBe(
      `m · 99% context left · cache 0% · $2.00 · ${expected}`,
    )
  })

  it.each([
    [undefined, 'dim'],
    ['warning' as const, 'yellow'],
    ['error' as const, 'red'],
  ])('shows what is left of the context as a session calls its size: %s is %s', (fill, colour) => {
    const store = screenStore()
    const status = { model: 'm', mode: 'default', percentLeft: 9, hitRate: 0, dollars: 2 }
    store.change({ status: { ...status, ...(fill && { fill }) } })
    const shown = statusLine(store.state(), 80, 0).find(({ text }) => text.includes('context left'))
    expect(JSON.stringify(shown)).toContain(colour)
  })

  it('shows a choice that is longer than the screen with its options', () => {
    const store = screenStore()
    const body = () => Array.from({ length: 100 }, (_, index) => [{ text: `line ${index}` }])
    const choice = {
      title: 'May it run?',
      body,
      options: [
        { label: 'Yes', key: 'y' },
        { label: 'No', key: 'n' },
      ],
    }
    store.change({ dialog: { choice, at: 0, marked: [] } })
    const { lines } = liveLines(store.state(), { columns: 40, rows: 12, now: 0 })
    const text = lines.map((line) => paintLine(line, false)).join('\n')
    expect(text).toContain('May it run?')
    expect(text).toMatch(/… \d+ more lines\n❯ 1\. Yes \(y\)\n {2}2\. No \(n\)/)
    expect(lines.length).toBeLessThan(12)
  })
})
