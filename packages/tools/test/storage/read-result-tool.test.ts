import { memoryStore } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { textOf } from '../../src/define-tool.js'
import { readResultTool } from '../../src/storage/read-result-tool.js'
import { toolContext } from '../support/tool-context.js'

const TEXT = Array.from({ length: 10_000 }, (_, index) => `line ${index + 1} of ten thousand`).join('\n')

async function reading(text: string) {
  const store = await memoryStore().open('session', new AbortController().signal)
  const { blob } = await store.put('tool-results/session/call-1.txt', text)
  const other = await store.put('fork-dream.jsonl', 'private')
  const tool = readResultTool(store)
  const read = async (input: object) => {
    const result = await tool.run(tool.schema.parse({ name: blob, ...input }), toolContext('.'))
    return { text: textOf(result), isError: result.isError }
  }
  return { tool, read, blob, other: other.blob }
}

describe('ReadResult', () => {
  it('gives lines from one on, and says where to go on', async () => {
    const { read } = await reading(TEXT)
    const { text } = await read({ offset: 41, limit: 2 })
    expect(text).toBe('line 41 of ten thousand\nline 42 of ten thousand\n[2 of 10000 lines; go on with offset 43]')
  })

  it('says when there is nothing more', async () => {
    const { read } = await reading(TEXT)
    expect((await read({ offset: 10_000 })).text).toContain('these are the last')
    expect((await read({ offset: 10_001 })).text).toBe('There are 10000 lines only.')
  })

  it('gives no more than one look may bring in', async () => {
    const { read } = await reading(TEXT)
    const { text } = await read({ limit: 10_000 })
    expect(text.length).toBeLessThan(41_000)
    expect(text).toMatch(/go on with offset \d+\]$/)
  })

  it('finds lines with words in them', async () => {
    const { read } = await reading(TEXT)
    const { text } = await read({ search: 'line 999', limit: 3 })
    expect(text).toBe(
      '999: line 999 of ten thousand\n9990: line 9990 of ten thousand\n9991: line 9991 of ten thousand\n[3 of 11 lines with these words; go on with offset 9992]',
    )
    expect((await read({ search: 'nowhere' })).text).toContain('0 of 0 lines with these words')
  })

  it('says how to read a line that is too long', async () => {
    const { read } = await reading(`short\n${'x'.repeat(100_000)}`)
    expect((await read({ offset: 2 })).text).toContain(
      'line 2 is too long to be shown whole: read parts of it by startByte',
    )
  })

  it('gives the bytes of a long line to their end, and then says that there are no more', async () => {
    const line = 'ä'.repeat(25_000)
    const { read } = await reading(line)
    let [given, next] = ['', 1 as number | undefined]
    for (let looks = 0; next !== undefined && looks < 9; looks++) {
      const { text } = await read({ startByte: next })
      const [, part = '', last] = /^(ä*)\n\[.*?(?:go on with startByte (\d+))?\]$/.exec(text) ?? []
      given += part
      next = last === undefined ? undefined : Number(last)
    }
    expect([given === line, next]).toEqual([true, undefined])
    expect((await read({ startByte: 40_001 })).text).toContain('these are the last')
    expect((await read({ startByte: 50_001 })).text).toBe('There is nothing from byte 50001 on.')
  })

  it('takes a path for the name', async () => {
    const { read, blob } = await reading(TEXT)
    expect((await read({ name: `/home/ada/${blob}`, limit: 1 })).text).toContain('line 1 of')
  })

  it('reads nothing but what was put away', async () => {
    const { read, other } = await reading(TEXT)
    for (const name of [other, 'tool-results-none.txt', '../tool-results/../../secret']) {
      const { text, isError } = await read({ name })
      expect(isError).toBe(true)
      expect(text).toContain(JSON.stringify(name))
    }
  })

  it('is read-only and safe beside others', async () => {
    const { tool } = await reading(TEXT)
    const input = tool.schema.parse({ name: 'tool-results' })
    expect([tool.isReadOnly(input), tool.isConcurrencySafe(input), tool.isCompactable]).toEqual([true, true, true])
    expect(tool.title(input)).toBe('Read tool-results from line 1')
  })
})
