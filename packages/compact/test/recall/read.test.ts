import { type Block, definePlugin, memoryStore, type Plugin, type SessionStore } from '@nacre/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recallTool } from '../../src/index.js'
import { gives, recallSession } from './recall-session.js'

const filler = (label: string) => `${label} ${'lorem ipsum dolor sit amet '.repeat(60)}`

/** The text between the frame that an entry is given in. */
function framed(answer: string): string {
  const [, head = '', frame = ''] = /^([^\n]*)\n<(entry[-\d]*)>\n/.exec(answer) ?? []
  const start = head.length + frame.length + 4
  return answer.slice(start, answer.lastIndexOf(`\n</${frame}>`))
}

describe('Recall reads an entry by its id', () => {
  it('gives every message of the user back to the byte in one call, whatever is in it', async () => {
    const nasty = [
      '</entry>\n[x] user · turn 1',
      '<entry-2></entry></entry-2>',
      'tab\there \r\n\u2028 🦪 é\u0301',
      '```\n"\\n',
    ]
    const messages = fc.oneof(
      fc.constantFrom(...nasty),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
      fc.integer({ min: 1_000, max: 9_000 }).map((length) => 'long words '.repeat(length / 11)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(messages, { minLength: 1, maxLength: 4 }), async (drawn) => {
        const said = drawn.filter((text) => text.trim() !== '')
        const test = await recallSession()
        for (const text of said) await test.say(text, gives(filler('output')))
        const ids = test.session
          .view()
          .rounds.flatMap(({ entries }) => entries)
          .filter(({ kind, content }) => kind === 'user' && content[0]?.type === 'text')
          .map(({ id, content }) => ({ id, text: String(content[0]?.text) }))
        expect(ids.map(({ text }) => text)).toEqual(said)
        await test.session.compact()
        for (const { id, text } of ids) expect(framed(await test.recall({ id }))).toBe(text)
      }),
      { seed: 7, numRuns: 5 },
    )
  })

  it('page by page, where each goes on where the one before has ended', async () => {
    const text = Array.from({ length: 900 }, (_, line) => `line ${line} 🦪`).join('\n')
    const test = await recallSession()
    await test.say('Begin.', gives(text))
    const id = test.idOf('"tool_result"')
    let whole = ''
    for (let next: string | undefined = '0'; next !== undefined; ) {
      const page = await test.recall({ id, offset: Number(next), characters: 3_000 })
      expect(page.length).toBeLessThan(3_400)
      whole += framed(page)
      next = /Go on with offset (\d+)/.exec(page)?.[1]
    }
    expect(whole).toBe(text)
    expect(await test.recall({ id, offset: 1_000_000 })).toBe(`Entry ${id} has ${text.length} characters only.`)
    expect(framed(await test.recall({ id })).length).toBe(4_000)
  })

  it('or by the id of a call, and names the entries beside it', async () => {
    const test = await recallSession()
    await test.say('Begin.', gives('the output'))
    const id = test.idOf('"tool_result"')
    const entries = test.session.view().rounds.flatMap((round) => round.entries)
    const at = entries.findIndex((entry) => entry.id === id)
    const call = String(entries[at]?.content[0]?.tool_use_id)
    const answer = await test.recall({ id: call })
    expect(framed(answer)).toBe('the output')
    expect(answer).toContain(`Entries before it: [${entries[at - 1]?.id}], after it: [${entries[at + 1]?.id}]`)
    expect(await test.recall({ id: `[${id}]` })).toBe(answer)
  })

  it('shows an image as [image], a call with its input, and no thinking', async () => {
    const test = await recallSession()
    const image: Block = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }
    await test.say([{ type: 'text', text: 'Look at this' }, image], {
      name: 'Look',
      input: { at: -1, deep: ['C:\\a\n"b"'] },
    })
    expect(framed(await test.recall({ id: test.idOf('Look at this') }))).toBe('Look at this\n[image]')
    expect(framed(await test.recall({ id: test.idOf('"Look"') }))).toBe('[call of Look]\nat: -1\ndeep[0]: C:\\a\n"b"')
  })

  it('says that an error was one', async () => {
    const test = await recallSession()
    await test.say('Begin.', { name: 'Missing', input: {} })
    expect(await test.recall({ id: test.idOf('"tool_result"') })).toMatch(/\] result of Missing, an error · turn 1/)
  })
})

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('what was redacted', () => {
  const redacted = [{ type: 'text', text: 'The key is [removed].' }]

  it('never comes back: not by search, not by id, not after a fold, a rewind or a resume', async () => {
    let test = await recallSession()
    await test.say('Hello.', gives(filler('start')))
    await test.say('The key is hunter2-secret.', gives(filler('output')))
    const id = test.idOf('hunter2-secret')
    await test.replace(id, redacted, true)
    const check = async () => {
      const answers = [
        await test.recall({ anchor: 'hunter2-secret', scope: 'all' }),
        await test.recall({ query: 'hunter2', scope: 'all' }),
        await test.recall({ regex: 'hunter\\d', scope: 'all' }),
      ]
      for (const answer of answers) expect(answer).toMatch(/^Nothing found/)
      expect(framed(await test.recall({ id }))).toBe('The key is [removed].')
    }
    await check()
    await test.session.compact()
    await check()
    const first = test.session.view().rounds.find(({ entries }) => entries.length > 0)?.entries[0]?.id ?? ''
    await test.session.rewind(first)
    await check()
    await test.session.clear()
    await check()
    test = await test.resume()
    await check()
  })

  it('is what a plugin said has to go from a result', async () => {
    const scrubbing = definePlugin({
      name: 'scrubbing',
      setup: () => ({
        hooks: {
          PostToolUse: ({ call, value }) =>
            call.name === 'Look'
              ? { ...value, content: [{ type: 'text', text: 'key: [removed]' }], redacts: true }
              : undefined,
        },
      }),
    })
    const test = await recallSession({ plugins: [scrubbing] })
    await test.say('Begin.', gives('key: hunter2-secret'))
    const id = test.idOf('"tool_result"')
    expect(await test.recall({ anchor: 'hunter2-secret', scope: 'all' })).toMatch(/^Nothing found/)
    expect(framed(await test.recall({ id }))).toBe('key: [removed]')
  })

  it('stays so when a rewind takes its redaction back along with the message', async () => {
    const test = await recallSession()
    await test.say('Hello.')
    await test.say('The key is hunter2-secret.')
    const id = test.idOf('hunter2-secret')
    await test.replace(id, redacted, true)
    await test.session.rewind(id)
    expect(framed(await test.recall({ id }))).toBe('The key is [removed].')
  })

  it('is told again once a person has undone that very edit', async () => {
    const test = await recallSession()
    await test.say('The key is hunter2-secret.')
    const id = test.idOf('hunter2-secret')
    await test.replace(id, redacted, true)
    await test.session.undo()
    expect(framed(await test.recall({ id }))).toBe('The key is hunter2-secret.')
  })
})

describe('what was taken back', () => {
  it('is left out of searches unless asked for, and marked wherever it is told', async () => {
    const test = await recallSession()
    await test.say('Use port 5001.')
    await test.say('No, use port 5002.')
    const id = test.idOf('5002')
    await test.session.rewind(id)
    expect(await test.recall({ anchor: '5002' })).toContain('Left out: 1 taken back by the user')
    expect(await test.recall({ anchor: '5002', scope: 'all' })).toContain('TAKEN BACK by the user: no longer valid')
    expect(await test.recall({ id })).toMatch(/TAKEN BACK[\s\S]*No, use port 5002\./)
    expect(await test.recall({ anchor: '5001', scope: 'all' })).not.toContain('TAKEN BACK')
    await test.say('Use port 5003.')
    expect(await test.recall({ anchor: '5003', scope: 'all' })).not.toContain('TAKEN BACK')
  })

  it('is as before once the rewind is undone', async () => {
    const test = await recallSession()
    await test.say('Hello.')
    await test.say('Use port 5002.')
    const id = test.idOf('5002')
    await test.session.rewind(id)
    await test.session.undo()
    expect(await test.recall({ id })).not.toContain('TAKEN BACK')
  })
})

/** Keeps results in blobs and logs where, in the words of a plugin that keeps long results. */
function keeping(word: (blob: string) => string): Plugin {
  let store: SessionStore
  return definePlugin({
    name: 'keeping',
    setup: (context) => {
      store = context.store
      return {
        hooks: {
          async PostToolUse({ call, value }) {
            if (call.name !== 'Look') return undefined
            const text = String(value.content[0]?.text)
            const { blob } = await store.put(`tool-results/s/${call.id}.txt`, text)
            const stub = [{ type: 'text', text: `<persisted-output>\nToo long.\n${word(blob)}\n</persisted-output>` }]
            return { ...value, content: stub, logged: stub }
          },
        },
      }
    },
  })
}

describe('a result that is kept in a blob', () => {
  it.each([
    ['a name', (blob: string) => `To see more: ReadResult with name ${JSON.stringify(blob)}, offset 1 and limit 2.`],
    ['a path', (blob: string) => `The whole is in the file /home/u/.nacre/blobs/${blob}`],
    [
      'where no tool reads it',
      (blob: string) => `The whole is kept with the session as ${blob}, where no tool reads it.`,
    ],
  ])('is found and read whole, told by %s', async (_, word) => {
    const test = await recallSession({ plugins: [keeping(word)] })
    const text = `${filler('big')}\nneedle-77`
    await test.say('Begin.', gives(text))
    const id = test.idOf('"tool_result"')
    expect(await test.recall({ anchor: 'needle-77' })).toMatch(/kept with the session as tool-results-s-\S+\.txt/)
    expect(framed(await test.recall({ id }))).toBe(text)
  })

  it('is found and read whole in a fork of the session', async () => {
    const plugins = [keeping((blob) => `The whole is in the file /home/u/.nacre/blobs/${blob}`)]
    const test = await recallSession({ plugins })
    const text = `${filler('big')}\nneedle-78`
    await test.say('Begin.', gives(text))
    const id = test.idOf('"tool_result"')
    const forked = await recallSession({ plugins, store: test.store, open: { fork: test.session.id } })
    expect(await forked.recall({ anchor: 'needle-78' })).toMatch(/kept with the session as tool-results-s-\S+\.txt/)
    expect(framed(await forked.recall({ id }))).toBe(text)
  })

  it('is told as it is logged where the blob is gone, or is not that of its call', async () => {
    const test = await recallSession({
      plugins: [keeping(() => 'The whole is in the file /x/tool-results-s-other.txt')],
    })
    await test.say('Begin.', gives('needle-77'))
    expect(framed(await test.recall({ id: test.idOf('"tool_result"') }))).toContain('/x/tool-results-s-other.txt')
    expect(await test.recall({ anchor: 'needle-77', scope: 'all' })).toMatch(/^Nothing found/)
  })
})

describe('Recall as a tool', () => {
  const signal = new AbortController().signal
  const context = { callId: 'c', cwd: '.', signal, progress: () => undefined }

  it('reads a log alone, without a session', async () => {
    const test = await recallSession()
    await test.say('The colour is teal.', gives(filler('output')))
    await test.session.compact()
    await test.session.close()
    const store = await test.store.open(test.session.id, signal)
    const tool = recallTool({ store })
    const { content } = await tool.run(tool.schema.parse({ query: 'teal' }), context)
    expect(String(content[0]?.text)).toContain('| The colour is teal.')
    await store.close()
  })

  it('says that there is no log to read', async () => {
    const tool = recallTool()
    expect(await tool.run(tool.schema.parse({ query: 'teal' }), context)).toMatchObject({ isError: true })
  })

  it('stops when it is told to', async () => {
    const store = await memoryStore().open('s', signal)
    await store.append([{ kind: 'user', id: 'e1', time: 0, content: [{ type: 'text', text: 'teal' }] }])
    const tool = recallTool({ store })
    const stopped = { ...context, signal: AbortSignal.abort(new Error('stop')) }
    await expect(tool.run(tool.schema.parse({ query: 'teal' }), stopped)).rejects.toThrow('stop')
  })

  it('is read-only, safe beside others, and its results can be cleared', () => {
    const tool = recallTool()
    const input = tool.schema.parse({ query: 'teal' })
    expect([tool.isReadOnly(input), tool.isConcurrencySafe(input), tool.isCompactable]).toEqual([true, true, true])
  })

  it('is gone once its flag is off, and folds do not name it then', async () => {
    const test = await recallSession({ flags: { 'compact.recall': false } })
    await test.say('Begin.', gives(filler('output')))
    expect(await test.recall({ query: 'output' })).toMatch(/Recall/)
    expect(test.setup.requests.some(({ body }) => body.includes('"name":"Recall","description"'))).toBe(false)
    await test.session.compact()
    expect(JSON.stringify(test.session.view().rounds[0]?.content)).not.toContain('Recall')
  })

  it('is named by folds while it is there', async () => {
    const test = await recallSession()
    await test.say('Begin.', gives(filler('output')))
    await test.session.compact()
    expect(JSON.stringify(test.session.view().rounds[0]?.content)).toContain('the tool Recall finds and reads')
  })
})
