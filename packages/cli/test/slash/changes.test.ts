import type { SimulatedModel } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { fileReader } from './support/file-reader.js'
import { makeFolders } from './support/make-folders.js'
import { OTHER_MODEL, openForTest } from './support/open-for-test.js'

const WIDE = { width: 200 }

describe('/compact', () => {
  it('shows first, installs exactly that, and can be taken back', async () => {
    const { ask, run, opened } = await openForTest(makeFolders())
    await ask('Read 8 files, please.')
    const { tokens } = opened.session.view()
    expect(await run('/compact use')).toMatchObject({ isError: true, text: expect.stringContaining('/compact dry') })
    const dry = await run('/compact dry')
    const [, sizes = ''] = /tokens {5}(\S+ → \S+) /.exec(dry.text) ?? []
    expect(dry.text).toContain('Nothing is changed yet.')
    expect(opened.session.view().tokens.total).toBe(tokens.total)
    const used = await run('/compact use')
    expect(used.text).toContain(`${sizes} tokens`)
    expect(opened.session.view().tokens.total).toBeLessThan(tokens.total)
    expect((await run('/compact use')).isError).toBe(true)
    expect((await run('/undo', WIDE)).text).toContain(`→ ${tokens.total.toLocaleString('en-US')} tokens`)
    expect(opened.session.view().tokens.total).toBe(tokens.total)
  })

  it('folds what stands before or after a message that is named by its number or the beginning of its id', async () => {
    const { ask, run, opened } = await openForTest(makeFolders(), { flags: { 'session-memory': false } })
    await ask('Read 3 files, please.')
    await ask('Read 3 files once more, please.')
    const prompts = await run('/rewind', { width: 200 })
    const [, first = '', second = ''] = /^1 {2}(\S+) .*\n2 {2}(\S+) /.exec(prompts.text) ?? []
    const said = () => opened.session.view().rounds.flatMap(({ entries }) => entries.map(({ id }) => id.slice(0, 8)))
    expect((await run('/compact upto 2 Keep the names.')).text).toContain('with a summary')
    expect([said().includes(first), said().includes(second)]).toEqual([false, true])
    await run('/undo')
    expect((await run(`/compact from ${second}`)).text).toMatch(/^Compacted with a /)
    expect([said().includes(first), said().includes(second)]).toEqual([true, false])
  })

  it('says what it did in one line, with what takes it back', async () => {
    const { ask, run } = await openForTest(makeFolders(), { flags: { 'session-memory': false } })
    await ask('Read 8 files, please.')
    const { text } = await run('/compact')
    const line = /^Compacted with a summary: ([\d,]+) → ([\d,]+) tokens, \$\d+\.\d{4}\. \/undo ([\da-f]{8})$/.exec(text)
    expect(line, text).not.toBeNull()
    expect((await run(`/undo ${line?.[3] ?? ''}`)).isError).toBeUndefined()
  })

  it('says what is wrong with a place, and changes nothing', async () => {
    const { ask, run, opened } = await openForTest(makeFolders())
    await ask('Read 2 files, please.')
    const { version } = opened.session.view()
    for (const typed of ['/compact from', '/compact upto 9', '/compact dry from now on be brief']) {
      expect(await run(typed)).toMatchObject({ isError: true, text: expect.stringContaining('/compact from 3') })
    }
    expect(opened.session.view().version).toBe(version)
  })

  it('stops when it is told to, and leaves the conversation as it was', async () => {
    const stop = new AbortController()
    const model: SimulatedModel = (turn) => {
      if (turn.source === 'compact') stop.abort()
      return fileReader(turn)
    }
    const { ask, run, opened } = await openForTest(makeFolders(), { model, flags: { 'session-memory': false } })
    await ask('Read 4 files, please.')
    const { total } = opened.session.view().tokens
    const output = await run('/compact', { signal: stop.signal })
    expect(output).toEqual({ isError: true, text: 'Stopped. Nothing was changed.' })
    expect(opened.session.view().tokens.total).toBe(total)
    expect(await ask('Thank you.')).toMatchObject({ type: 'end', reason: 'done' })
  })
})

describe('/rewind', () => {
  it('lists what the person has said and takes the conversation back to before it', async () => {
    const { ask, run, opened } = await openForTest(makeFolders())
    expect((await run('/rewind')).text).toContain('Nothing that you have said')
    await ask('Read 1 files, please.')
    await ask('And now?')
    expect((await run('/rewind')).text).toMatch(/^1 {2}\S{8} {2}Read 1 files, please\.\n2 {2}\S{8} {2}And now\?\n/)
    const back = await run('/rewind 2')
    expect(back.text).toMatch(/^The conversation is back to before 'And now\?'/)
    expect(JSON.stringify(opened.session.view().rounds)).not.toContain('And now?')
    const [, id = ''] = /\/undo\s+(\S+)/.exec(back.text) ?? []
    await run(`/undo ${id}`)
    expect(JSON.stringify(opened.session.view().rounds)).toContain('And now?')
    expect(await run('/rewind 7')).toMatchObject({ isError: true, text: expect.stringContaining('/rewind 2') })
  })
})

describe('/undo', () => {
  it('says that there is nothing, names the example for an id that nobody has, and takes one at a time', async () => {
    const { run } = await openForTest(makeFolders())
    expect(await run('/undo')).toEqual({ isError: true, text: 'There is nothing to undo.' })
    for (const typed of ['/undo zzzz', '/undo a b']) {
      expect(await run(typed)).toMatchObject({ isError: true, text: expect.stringContaining('/undo 3f2a91c0') })
    }
  })
})

describe('an id', () => {
  it('is not guessed from fewer than four letters, so that a number hits no edit by chance', async () => {
    const { ask, run, opened } = await openForTest(makeFolders())
    await ask('Read 1 files, please.')
    await run('/clear')
    const { version } = opened.session.view()
    for (const typed of '0123456789abcdef') {
      expect(await run(`/undo ${typed}`)).toMatchObject({ isError: true, text: expect.stringContaining('four') })
    }
    expect(opened.session.view().version).toBe(version)
  })
})

describe('/clear', () => {
  it('begins anew, and /undo brings back what was', async () => {
    const { ask, run, opened } = await openForTest(makeFolders())
    expect((await run('/clear')).text).toBe('There is nothing to clear.')
    await ask('Read 2 files, please.')
    const { total } = opened.session.view().tokens
    const cleared = await run('/clear')
    expect(opened.session.view().rounds.flatMap(({ entries }) => entries)).toEqual([])
    const [, id = ''] = /\/undo\s+(\S+)/.exec(cleared.text) ?? []
    await run(`/undo ${id}`)
    expect(opened.session.view().tokens.total).toBe(total)
  })
})

describe('/model', () => {
  it('shows the model and goes on with another one', async () => {
    const { ask, run, requests } = await openForTest(makeFolders())
    await ask('Read 1 files, please.')
    expect((await run('/model')).text).toMatch(/^claude-sonnet-4-6, a window of 200,000 tokens, \$3 input/)
    expect((await run(`/model ${OTHER_MODEL}`)).text).toContain(OTHER_MODEL)
    expect((await run('/model')).text).toContain(OTHER_MODEL)
    expect((await run(`/model ${OTHER_MODEL}`)).text).toContain('already')
    await ask('Thank you.')
    expect(requests.filter(({ source }) => source === 'main').at(-1)?.model).toBe(OTHER_MODEL)
    expect(await run('/model gpt')).toEqual({ isError: true, text: "There is no model 'gpt'." })
    expect(await run('/model two words')).toMatchObject({ isError: true })
  })
})

describe('/flags', () => {
  it('lists values with where they come from, switches for the session and takes that back', async () => {
    const { run, opened } = await openForTest(makeFolders(), { flags: { 'compact.collapse': true, web: false } })
    const state = async (name: string) =>
      new RegExp(`^${name.replace('.', '\\.')} +(.*)$`, 'm').exec((await run('/flags')).text)?.[1]?.split(/\s{2,}/)
    expect(await state('compact.clear')).toEqual(['on', 'default'])
    expect(await state('compact.collapse')).toEqual(['on', 'options'])
    expect((await run('/flags compact.clear off')).text).toBe('compact.clear is off, for this session.')
    expect(await state('compact.clear')).toEqual(['off', 'this session'])
    expect(opened.session.flags.isOn('compact.clear')).toBe(false)
    expect((await run('/flags compact.clear reset')).text).toContain('on, again as by default')
    expect((await run('/flags web on', WIDE)).text).toContain('comes in when the session is resumed')
    expect(await run('/flags compct off')).toMatchObject({ isError: true, text: expect.stringContaining("'compact'") })
    expect(await run('/flags compact maybe')).toMatchObject({ isError: true, text: expect.stringContaining('/flags ') })
  })
})
