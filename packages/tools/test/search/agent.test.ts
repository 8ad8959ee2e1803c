import { createSession } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { pluginContract } from '@nacre/core/testing'
import { scripted } from '@nacre/simulator'
import { assertConforms, pluginConformance } from '@nacre/simulator/conformance'
import { describe, expect, it } from 'vitest'
import { search, searchTools } from '../../src/index.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { WAYS } from './ask.js'
import { tree } from './tree.js'

await pluginContract('search', { create: () => search() })

describe('the search plugin', () => {
  it.each(WAYS)(
    'conforms with $way',
    async ({ options }) => {
      const folder = await tree({ 'src/a.ts': 'export const one = 1\n', 'b.md': 'one\n' })
      const report = await pluginConformance({
        createSession,
        model: (baseURL) => anthropicModel({ model: 'claude-opus-5-5', apiKey: 'any', baseURL }),
        plugin: search(options),
        calls: [
          { name: 'Grep', input: { pattern: 'one', path: folder } },
          { name: 'Grep', input: { pattern: 'one', path: folder, output_mode: 'content' } },
          { name: 'Grep', input: { pattern: '(', path: folder } },
          { name: 'Glob', input: { pattern: '**/*', path: folder } },
          { name: 'Glob', input: { pattern: '' } },
        ],
        runs: 1,
      })
      assertConforms(report)
    },
    60_000,
  )

  it('gives results in the order of the calls', async () => {
    const folder = await tree({ 'src/a.ts': 'one\n', 'b.md': 'one two\n' })
    let turn = 0
    const { bodies, start } = await setUp(
      scripted(() => {
        turn += 1
        if (turn > 1) return 'done'
        return [
          { type: 'tool_use', name: 'Grep', input: { pattern: 'one', path: folder, output_mode: 'count' } },
          { type: 'tool_use', name: 'Glob', input: { pattern: '*.md', path: folder } },
          { type: 'tool_use', name: 'Grep', input: { pattern: 'two', path: folder, output_mode: 'content' } },
        ]
      }),
    )
    const session = await start({ plugins: [search()] })
    await eventsOf(session.query('Look'))
    const body = bodies.at(-1) ?? ''
    const places = ['src/a.ts:1', `${folder}/b.md"`, '1:one two'].map((text) =>
      body.indexOf(text, body.indexOf('tool_result')),
    )
    expect(places.every((place) => place > 0)).toBe(true)
  })

  it('has tools that read only, run beside one another and may be cleared', () => {
    const { grep, glob } = searchTools()
    const input = grep.schema.parse({ pattern: 'x' })
    for (const tool of [grep, glob]) expect(tool).toMatchObject({ isCompactable: true, maxResultChars: 20_000 })
    expect([grep.isReadOnly(input), grep.isConcurrencySafe(input)]).toEqual([true, true])
    expect([glob.isReadOnly({ pattern: '*' }), glob.isConcurrencySafe({ pattern: '*' })]).toEqual([true, true])
    expect(grep.title(input)).toBe('Grep "x"')
    expect(glob.title({ pattern: '*.ts', path: 'src' })).toBe('Glob *.ts in src')
  })
})
