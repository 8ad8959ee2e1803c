import { readFile } from 'node:fs/promises'
import { memoryStore, type SessionOptions, type Tool } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import type { SimulatedModel } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { toolResultStorage } from '../../src/storage/tool-result-storage.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { callOf, givingTool } from './support/giving-tool.js'
import { resultsOf } from './support/request-parts.js'

const LINES = Array.from({ length: 2_500 }, (_, index) => `line ${index + 1}: ${'w'.repeat(index % 50)}`)
const OUTPUT = `${LINES.join('\n')}\n`

const readTool: Tool = {
  ...givingTool(() => '', { name: 'Read', maxResultChars: Number.POSITIVE_INFINITY }),
  async run(input) {
    const { file_path, offset, limit } = input as { file_path: string; offset: number; limit: number }
    const lines = (await readFile(file_path, 'utf8')).split('\n').slice(offset - 1, offset - 1 + limit)
    return { content: [{ type: 'text', text: lines.join('\n') }] }
  },
}

/** A model that knows nothing but what the marker says: it does what it is told there, again and again. */
function obedient(asks: (marker: string, from: number, limit: number) => ReturnType<typeof callOf>): SimulatedModel {
  return ({ messages }) => {
    const results = messages.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_result')
    const texts = results.map(({ content }) => (content as { text: string }[]).map(({ text }) => text).join('\n'))
    const [marker] = texts
    if (marker === undefined) return [callOf()]
    const [, from = '', to = ''] = /NOT SEEN: lines (\d+)-(\d+)/.exec(marker) ?? []
    const [, limit = ''] = /and limit (\d+)/.exec(marker) ?? []
    const next = Number(from) + (texts.length - 1) * Number(limit)
    return next > Number(to) ? 'all seen' : [asks(marker, next, Math.min(Number(limit), Number(to) - next + 1))]
  }
}

async function play(model: SimulatedModel, options: Partial<SessionOptions>) {
  const { start, bodies } = await setUp(model)
  const session = await start({ plugins: [toolResultStorage()], ...options })
  const events = await eventsOf(session.query('Go.'))
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'done' })
  const [marker = '', ...read] = resultsOf(bodies.at(-1))
  return { marker, read }
}

/** What the marker itself shows of the output. */
function shownIn(marker: string): { head: string; tail: string } {
  const [, head = '', tail = ''] =
    /Lines 1-\d+:\n([\s\S]*)\n\[\.\.\. NOT SEEN.*\]\nLines .*:\n([\s\S]*)\n<\/persisted/.exec(marker) ?? []
  return { head, tail }
}

describe('a model that follows the words of a preview', { timeout: 30_000 }, () => {
  it('reads exactly the lines that it has not seen, by the path', async () => {
    const model = obedient((marker, offset, limit) => {
      const [, file_path = ''] = /The whole is in the file (.+)/.exec(marker) ?? []
      return callOf({ file_path, offset, limit }, 'Read')
    })
    const home = await temporaryFolder()
    const store = fileStore({ home, project: home })
    const { marker, read } = await play(model, { store, tools: [givingTool(() => OUTPUT), readTool] })
    const { head, tail } = shownIn(marker)
    expect(read.length).toBeGreaterThan(2)
    expect([head, ...read, tail].join('\n')).toBe(LINES.join('\n'))
  })

  it('reads exactly the lines that it has not seen, by the tool for blobs', async () => {
    const model = obedient((marker, offset, limit) => {
      const [, name = ''] = /ReadResult with name "(.+?)"/.exec(marker) ?? []
      return callOf({ name, offset, limit }, 'ReadResult')
    })
    const { marker, read } = await play(model, { store: memoryStore(), tools: [givingTool(() => OUTPUT)] })
    const { head, tail } = shownIn(marker)
    const lines = read.map((text) => text.replace(/\n\[.*\]$/, ''))
    expect([head, ...lines, tail].join('\n')).toBe(LINES.join('\n'))
  })

  it('reads a long line byte by byte, and no character is lost', async () => {
    const line = 'äöü漢字🙂'.repeat(8_000)
    const model: SimulatedModel = ({ messages }) => {
      const texts = resultsOf(JSON.stringify({ messages }))
      if (texts.length === 0) return [callOf()]
      const [, name = ''] = /ReadResult with name "(.+?)"/.exec(texts[0] ?? '') ?? []
      const [, last = ''] = /NOT SEEN: line 1, bytes \d+-(\d+)/.exec(texts[0] ?? '') ?? []
      const [, startByte] = /startByte (\d+)/.exec(texts.at(-1) ?? '') ?? []
      return startByte === undefined || Number(startByte) > Number(last)
        ? 'all seen'
        : [callOf({ name, startByte: Number(startByte) }, 'ReadResult')]
    }
    const { marker, read } = await play(model, { store: memoryStore(), tools: [givingTool(() => line)] })
    const [, head = ''] = /The beginning:\n(.*)\n/.exec(marker) ?? []
    const parts = read.map((text) => text.replace(/\n\[.*\]$/, ''))
    expect(line.startsWith(head + parts.join(''))).toBe(true)
    expect((head + parts.join('')).length).toBeGreaterThan(line.length - 1_000)
  })
})
