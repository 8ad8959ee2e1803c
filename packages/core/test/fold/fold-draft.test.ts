import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anchors } from '../../src/fold/anchors.js'
import { findIdentifiers } from '../../src/fold/find-identifiers.js'
import { foldDraft } from '../../src/fold/fold-draft.js'
import { messagesSection } from '../../src/fold/quoted-messages.js'
import { estimateText } from '../../src/tokens/estimate.js'
import type { Span } from '../../src/types/log.js'
import type { View } from '../../src/types/view.js'
import { type ReliefSession, reliefSession, text, words } from '../relief/relief-session.js'

const all = ({ rounds }: View): Span => ({ from: rounds[0]?.span.from as string, to: rounds.at(-1)?.span.to as string })

function sections(session: ReliefSession, summary: string, options?: Parameters<typeof foldDraft>[3]): string[] {
  const view = session.view()
  const [change] = foldDraft(view, all(view), summary, options).changes
  return change?.kind === 'fold' ? change.content.map((block) => String(block.text)) : []
}

describe('foldDraft', () => {
  it('frames the text and says how to go on', async () => {
    const session = await reliefSession()
    await session.turn(10, 'Fix it')
    const [frame, summary] = sections(session, ' The summary. ', { recall: 'Recall' })
    expect(frame).toMatchInlineSnapshot(`
      "This session goes on from here. Its earlier part was folded to make room; what follows stands for it.
      Nothing of it is lost: the tool Recall finds and reads the full text.
      Go on with the last task where it was left, without a recap and without questions about what is known."
    `)
    expect(summary).toBe('The summary.')
  })

  it('names no tool that is not there, and does not send the model back to work after a fold by hand', async () => {
    const session = await reliefSession()
    await session.turn(10)
    const [frame] = sections(session, 's', { trigger: 'manual' })
    expect(frame).toBe(
      'This session goes on from here. Its earlier part was folded to make room; what follows stands for it.',
    )
  })

  it('names the transcript where no tool reads the full text, also behind a frame of another', async () => {
    const session = await reliefSession({ transcript: '/data/it.jsonl' })
    await session.turn(10, 'Fix it')
    const line =
      'Nothing of it is lost: the full text is in the log of this session, /data/it.jsonl, with one JSON object a line. A search for a word of it finds the place.'
    const [frame] = sections(session, 's')
    expect(frame?.split('\n')[1]).toBe(line)
    expect(sections(session, 's', { frame: 'A piece.' })[0]).toBe(`A piece.\n${line}`)
    expect(sections(session, 's', { recall: 'Recall' }).join()).not.toContain('it.jsonl')
    expect(sections(session, 's', { recall: 'Recall', frame: 'A piece; Recall reads it.' })[0]).toBe(
      'A piece; Recall reads it.',
    )
    // Folded again it is said anew, and not kept among the exact names of what was said.
    await session.conversation.edit({ owner: 'x', ...foldDraft(session.view(), all(session.view()), 's') })
    await session.turn(10, 'Now the tests')
    expect(sections(session, 's').join('\n').split('/data/it.jsonl')).toHaveLength(2)
  })

  it('takes another frame and fewer names for a piece of what came before', async () => {
    const session = await reliefSession()
    await session.turn(10, 'Fix src/a.ts and src/b.ts')
    expect(sections(session, 's', { frame: 'A piece.', room: { anchors: 0 } })).toEqual([
      'A piece.',
      's',
      expect.stringContaining('Fix src/a.ts and src/b.ts'),
    ])
  })

  it('tells of pictures that the user showed, with words or without', async () => {
    const session = await reliefSession()
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } }
    await session.conversation.append({ kind: 'user', content: [text('See:'), image] })
    await session.turn(10, 'Fix it')
    expect(sections(session, 's')[2]).toContain('>\nSee:\n[image]\n')
  })

  it('takes less room for what the user said, and lets all but the last prompt of the session go', async () => {
    const session = await reliefSession()
    await session.turn(10, 'Fix it')
    await session.turn(10, 'Now the tests')
    const room = { messages: 0, anchors: 0 }
    expect(sections(session, 's', { room })[2]).toContain(
      '(1 more left out):\n<user_message entry="e5">\nNow the tests\n',
    )
    await session.conversation.append({ kind: 'user', content: [text('And the docs')] })
    const view = session.view()
    const span = { from: view.rounds[0]?.span.from as string, to: view.rounds.at(-2)?.span.to as string }
    expect(JSON.stringify(foldDraft(view, span, 's', { room }).changes)).toMatch(/\(2 more left out\):"/)
  })

  it('carries on what a note in place of a dropped span has kept of the user', async () => {
    const session = await reliefSession()
    await session.turn(10, 'Never use tabs.\nPlease')
    await session.turn(10, 'Next')
    const said = [{ entry: 'e1', text: 'Never use tabs.\nPlease' }]
    const rounds = session.view().rounds
    const span = { from: rounds[0]?.span.from as string, to: rounds[1]?.span.to as string }
    const note = `[Left out.]\n${messagesSection(said, '', 1_000)}`
    await session.conversation.edit({ owner: 'x', reason: 'snip', changes: [{ kind: 'drop', span, note }] })
    expect(sections(session, 's')[2]).toContain('<user_message entry="e1">\nNever use tabs.\nPlease\n</user_message>')
  })

  it('gives the same bytes for the same input', async () => {
    const session = await reliefSession()
    for (let turn = 0; turn < 3; turn++) await session.turn(10)
    expect(sections(session, 'text')).toEqual(sections(session, 'text'))
  })

  it('adds the user messages that the text lacks, in order and word for word', async () => {
    const session = await reliefSession()
    await session.turn(10, 'Fix  the\nlogin bug')
    await session.turn(10, 'yes')
    await session.turn(10, 'Now the tests,\n  please')
    await session.conversation.append({ kind: 'user', content: [text('A reminder of the runtime')], isMeta: true })
    await session.conversation.append({ kind: 'assistant', content: [text('ok')], ...ANSWER })
    const [, , messages] = sections(session, 'Asked on yesterday: "Fix the login bug".')
    expect(messages).toBe(
      [
        'What the user said in that part, word for word: the last message, and those not quoted above:',
        '<user_message entry="e5">\nyes\n</user_message>',
        '<user_message entry="e9">\nNow the tests,\n  please\n</user_message>',
      ].join('\n'),
    )
  })

  it('quotes the last message even where the text has it: its spaces may be others, and the next text may lose it', async () => {
    const session = await reliefSession()
    await session.turn(10, 'Fix it')
    await session.turn(10, 'Now  the tests')
    const [, , messages] = sections(session, 'They said: Fix it. Then: Now the tests.')
    expect(messages).toContain('\nNow  the tests\n')
    expect(messages).not.toContain('Fix it')
  })

  it('keeps the last message through folds that nobody spoke between', async () => {
    const session = await reliefSession()
    await session.turn(10, 'Fix  it')
    for (const summary of ['They said: Fix it.', 'Work went on.', 'And on.']) {
      await session.conversation.edit({ owner: 'x', ...foldDraft(session.view(), all(session.view()), summary) })
      await session.turn(10, '')
    }
    const draft = foldDraft(session.view(), all(session.view()), 'The end.')
    expect(JSON.stringify(draft.changes)).toContain('Fix  it')
  })

  it('indexes what stands in place of what was replaced', async () => {
    const session = await reliefSession()
    await session.turn(10, 'Look')
    const content = [text('[cleared: src/parser/lexer.ts]')]
    const target = { entry: 'e1', block: 0 }
    await session.conversation.edit({ owner: 'x', reason: 'x', changes: [{ kind: 'replace', target, content }] })
    expect(sections(session, 's').join('\n')).toMatch(/entry="e1">\n\[cleared: src\/parser\/lexer\.ts/)
  })

  it('tells the model more firmly to go on where nobody is there', async () => {
    const session = await reliefSession()
    await session.turn(10)
    const [frame] = sections(session, 's', { isAutonomous: true, trigger: 'manual' })
    expect(frame).toContain('Nobody is there to answer')
  })

  it('keeps the newest within its budget, and never cuts the last', async () => {
    const session = await reliefSession()
    await session.turn(10, words(1_000, 'oldest'))
    await session.turn(10, words(700, 'middle'))
    await session.turn(10, words(5_000, 'last'))
    const [, , messages] = sections(session, 's')
    expect(messages).toContain(words(5_000, 'last'))
    expect(messages).toContain('(2 more left out)')
  })

  it('shows nothing that was taken out of the view', async () => {
    const session = await reliefSession()
    await session.turn(10, 'my password is hunter2Secret')
    const target = { entry: 'e1', block: 0 }
    const content = [text('[redacted]')]
    await session.conversation.edit({
      owner: 'x',
      reason: 'x',
      changes: [{ kind: 'replace', target, content, redacts: true }],
    })
    expect(sections(session, 's').join()).not.toContain('hunter2')
  })

  it('carries on what a fold before it had kept, with the entries it came from', async () => {
    const session = await reliefSession()
    await session.turn(10, 'Look at src/login/form.ts first')
    await session.conversation.edit({ owner: 'x', ...foldDraft(session.view(), all(session.view()), 'first') })
    await session.turn(10, 'Then the rest')
    const joined = sections(session, 'second').join('\n')
    expect(joined).toContain('<user_message entry="e1">\nLook at src/login/form.ts first\n</user_message>')
    // The message has its entry beside it, so the index does not name it again.
    expect(joined).not.toMatch(/\[e1\] .*src\/login\/form\.ts/)
    expect(joined).not.toContain('[e4] user_message')
  })
})

const ANSWER = {
  model: 'm',
  messageId: 'x',
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, dollars: 0 },
  stop: 'end_turn',
  prefix: '',
}

describe('identifiers', () => {
  it.each([
    ['see src/app/main.ts:42 and ./test', ['src/app/main.ts:42', './test']],
    ['open https://example.com/a?b=1, then go', ['https://example.com/a?b=1']],
    ['commit 3f9ac21 not 1234567 nor defaced', ['3f9ac21']],
    ['on localhost:3000 or port 8080', ['localhost:3000', 'port 8080']],
    ['TypeError: x is not a function\nnext', ['TypeError: x is not a function']],
    ['failed with ECONNREFUSED and TS2307', ['ECONNREFUSED', 'TS2307']],
    ['took 350 ms, 12.5% of 3 MB', ['350 ms', '12.5%', '3 MB']],
    ['call parseHeader or read_all_lines', ['parseHeader', 'read_all_lines']],
    ['std::vector and app.router.add()', ['std::vector', 'app.router.add()']],
    ['in C:\\work\\new\\app.ts here', ['C:\\work\\new\\app.ts']],
    ['{"out":"\\nparseHeader\\tsrc/a.ts"}', ['parseHeader', 'src/a.ts']],
    ['package.json has changed.', ['package.json']],
    ['plain words only, with e.g. nothing', []],
  ])('%s', (line, found) => {
    expect(findIdentifiers(line)).toEqual(found)
  })

  it('are looked for in long lines without spaces in no more time than a test has', () => {
    expect(findIdentifiers('a'.repeat(300_000))).toEqual([])
    expect(findIdentifiers('0123456789abcdef'.repeat(20_000))).toEqual([])
    expect(findIdentifiers('aB3/'.repeat(100_000)).length).toBeGreaterThan(0)
    expect(findIdentifiers('aB_c.'.repeat(100_000)).length).toBeGreaterThan(0)
  })
})

describe('anchors', () => {
  it('name the most used and the latest, each by the entry it was last seen in', () => {
    const sources = [
      { entry: 'e1', text: 'src/often.ts src/often.ts src/often.ts src/once.ts' },
      { entry: 'e2', text: 'src/often.ts src/late.ts' },
    ]
    expect(anchors(sources, 1_000)).toBe('[e1] src/once.ts\n[e2] src/often.ts | src/late.ts')
    const little = estimateText('\n[e2] src/often.ts | src/late.ts')
    expect(anchors(sources, little)).toBe('[e2] src/often.ts | src/late.ts')
  })

  it('stay within their budget, and each name stands in the entry they say', async () => {
    const name = fc.constantFrom(
      'src/a.ts',
      'fooBar',
      'read_all',
      'ENOENT',
      '12 MB',
      'https://x.io/y',
      'plain',
      'std::sort',
    )
    const source = fc.record({
      entry: fc.integer({ min: 1, max: 9 }).map((id) => `e${id}`),
      text: fc.array(name, { maxLength: 12 }).map((names) => names.join(' and ')),
    })
    await fc.assert(
      fc.property(fc.array(source, { maxLength: 8 }), fc.nat({ max: 200 }), (sources, budget) => {
        const index = anchors(sources, budget)
        expect(estimateText(index)).toBeLessThanOrEqual(budget)
        for (const line of index.split('\n').filter(Boolean)) {
          const [, entry, names = ''] = /^\[(\w+)\] (.*)$/.exec(line) ?? []
          const texts = sources.filter((each) => each.entry === entry).map((each) => each.text)
          for (const each of names.split(' | ')) expect(texts.some((text) => text.includes(each))).toBe(true)
        }
      }),
      { numRuns: 300, seed: 5 },
    )
  })
})
