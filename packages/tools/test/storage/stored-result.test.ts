import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Block, SessionOptions } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { toolResultStorage } from '../../src/storage/tool-result-storage.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { callOf, givingTool } from './support/giving-tool.js'
import { isExtension, messagesOf, resultsOf } from './support/request-parts.js'

const LINES = 65_536
const HUGE = Array.from({ length: LINES }, (_, line) => `${String(line + 1).padStart(8)} ${'x'.repeat(70)}\n`).join('')

const IMAGE = {
  type: 'image',
  source: {
    type: 'base64',
    media_type: 'image/png',
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  },
}

function resultBlocks(body: string | undefined): readonly Block[] {
  const blocks = messagesOf(body).flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return blocks.find(({ type }) => type === 'tool_result')?.content as readonly Block[]
}

async function filesOf(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

async function play(content: string | readonly Block[], options: Partial<SessionOptions> = {}) {
  const home = await temporaryFolder()
  const store = fileStore({ home, project: home })
  const model = scripted([[callOf()], 'one', 'two', 'three', 'four'])
  const setup = await setUp(model)
  const own = { tools: [givingTool(() => content as string)], plugins: [toolResultStorage()], store, ...options }
  const session = await setup.start({ ...own, open: { id: 'session-1' } })
  await eventsOf(session.query('Go.'))
  const stored = async () => (await filesOf(home)).filter((file) => file.includes('tool-results'))
  return {
    ...setup,
    home,
    own,
    session,
    stored,
    log: async () => (await filesOf(home)).filter((file) => /jsonl$/.test(file)),
  }
}

describe('a result of 5 MB', { timeout: 30_000 }, () => {
  it('enters the view as a preview of about 2 KB that says what was not seen', async () => {
    const { bodies } = await play(HUGE)
    const [preview = ''] = resultsOf(bodies.at(-1))
    expect(Buffer.byteLength(HUGE)).toBeGreaterThan(5_000_000)
    expect(Buffer.byteLength(preview)).toBeLessThan(2_500)
    expect(preview).toMatch(/^<persisted-output>\n[\s\S]*<\/persisted-output>$/)
    expect(preview).toContain(`${Buffer.byteLength(HUGE)} bytes in ${LINES} lines`)
    expect(preview).toMatch(/NOT SEEN: lines \d+-655\d\d/)
  })

  it('is whole in a file that only its owner reads, at the path that the preview names', async () => {
    const { bodies, stored } = await play(HUGE)
    const [file = '', ...others] = await stored()
    expect(others).toEqual([])
    expect(await readFile(file, 'utf8')).toBe(HUGE)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(file).toMatch(/tool-results-session-1-toolu_\w+\.txt$/)
    expect(resultsOf(bodies.at(-1))[0]).toContain(file)
  })

  it('is nowhere in the log', async () => {
    const { log, session } = await play(HUGE)
    await session.close()
    const [file = ''] = await log()
    expect((await stat(file)).size).toBeLessThan(20_000)
    expect(await readFile(file, 'utf8')).not.toContain('30000 xxx')
  })

  it('has the same bytes on every later request, after a resume and in a fork', async () => {
    const { bodies, session, start, own, home } = await play(HUGE)
    await eventsOf(session.query('More.'))
    expect(isExtension(bodies[2], bodies[1])).toBe(true)
    await session.close()
    // As another process would: with a store, a plugin and a session of its own.
    const open = { resume: 'session-1' }
    const store = fileStore({ home, project: home })
    const resumed = await start({ ...own, store, plugins: [toolResultStorage()], open })
    await eventsOf(resumed.query('More.'))
    expect(isExtension(bodies[3], bodies[2])).toBe(true)
    const fork = await resumed.fork()
    await eventsOf(fork.query('In a fork.'))
    await fork.close()
    expect(isExtension(bodies[4], bodies[3])).toBe(true)
    expect(resultsOf(bodies[4])).toEqual(resultsOf(bodies[1]))
  })

  it('shows the pointer of the log when the edit is undone', async () => {
    const { bodies, session, stored } = await play(HUGE)
    await session.undo()
    await eventsOf(session.query('More.'))
    const [pointer = ''] = resultsOf(bodies.at(-1))
    expect(pointer).toContain((await stored())[0])
    expect(pointer).toContain(`You have seen nothing of it. NOT SEEN: lines 1-${LINES}`)
  })

  it.each([
    ['one line', 'x'.repeat(5_000_000)],
    ['characters of several bytes', '漢字🙂é'.repeat(400_000)],
  ])('works with %s', async (_, text) => {
    const { bodies, stored } = await play(text)
    const [preview = ''] = resultsOf(bodies.at(-1))
    expect(Buffer.byteLength(preview)).toBeLessThan(2_500)
    expect(preview).not.toContain('\uFFFD')
    expect(preview).toMatch(/NOT SEEN: line 1, bytes \d+-\d+/)
    const [file = ''] = await stored()
    expect(await readFile(file, 'utf8')).toBe(text)
  })
})

describe('what a result holds', { timeout: 30_000 }, () => {
  it('is kept as JSON where it is JSON', async () => {
    const { stored } = await play(JSON.stringify(Array.from({ length: 10_000 }, (_, id) => ({ id }))))
    expect((await stored())[0]).toMatch(/\.json$/)
  })

  it('keeps its images, and only its text is put away', async () => {
    const text = (words: string) => ({ type: 'text', text: words })
    const { bodies, stored } = await play([text('first\n'.repeat(8_000)), IMAGE, text('second\n'.repeat(8_000))])
    const [first, second, ...others] = resultBlocks(bodies.at(-1))
    expect([first?.type, second, others]).toEqual(['text', IMAGE, []])
    const [file = ''] = await stored()
    expect(await readFile(file, 'utf8')).toBe(`${'first\n'.repeat(8_000)}\n${'second\n'.repeat(8_000)}`)
  })

  it('may be a large image: images do not count', async () => {
    const large = { ...IMAGE, source: { ...IMAGE.source, data: IMAGE.source.data.repeat(2_000).replaceAll('=', 'A') } }
    const { stored, bodies } = await play([large, { type: 'text', text: 'a picture' }])
    expect(await stored()).toEqual([])
    expect(resultBlocks(bodies.at(-1))).toEqual([large, { type: 'text', text: 'a picture' }])
  })

  it.each(['', '\n'.repeat(60_000)])('is told as no output where it is blank', async (blank) => {
    const { bodies, stored } = await play(blank)
    expect(resultsOf(bodies.at(-1))).toEqual(['(no output)'])
    expect(await stored()).toEqual([])
  })

  it('may be what a tool says when it fails', async () => {
    const failing = givingTool(() => {
      throw new Error('failed\n'.repeat(20_000))
    })
    const { bodies, stored } = await play('', { tools: [failing] })
    expect(bodies.at(-1)).toContain('"is_error":true')
    expect(resultsOf(bodies.at(-1))[0]).toMatch(/^<persisted-output>/)
    expect(await readFile((await stored())[0] ?? '', 'utf8')).toBe('failed\n'.repeat(20_000))
  })
})
