import { describe, expect, it } from 'vitest'
import { describeBreak } from '../../src/cache/describe-break.js'
import type { CacheBreak } from '../../src/types/events.js'
import { said, sentOf, talk } from './talk.js'

const found: CacheBreak = {
  source: 'main',
  cause: 'edit',
  owner: 'compact',
  what: 'message 0, block 0 (text)',
  reason: 'old',
  place: { message: 0, block: 0 },
  predicted: 52_340,
  read: 12_001,
  tokens: 40_339,
  dollars: 0.19362,
}
const long = 'same '.repeat(200)
const before = sentOf(talk([[said('a', `${long}OLD ${long}`)]]))
const after = sentOf(talk([[said('a', `${long}NEW ${long}`, 'compact')]]), { time: 60_000 })

describe('a break in words', () => {
  it('says who, what and how much, and shows both blocks around the difference', () => {
    const text = describeBreak(found, before, after)
    expect(text.split('\n').slice(0, 5)).toEqual([
      'Cache break: edit, by compact (old)',
      'message 0, block 0 (text)',
      'predicted 52,340 tokens, read 12,001: 40,339 tokens paid again, $0.1936',
      'claude-opus-5-5 at 1970-01-01T00:00:00.000Z, claude-opus-5-5 at 1970-01-01T00:01:00.000Z',
      '',
    ])
    const [, old, now] = /--- .* of user\n(.*)\n\+\+\+ .* of compact\n(.*)\n/.exec(text) ?? []
    expect(old).toMatch(/^….{80}OLD .*…$/)
    expect(now).toMatch(/^….{80}NEW .*…$/)
    expect(old).toHaveLength(402)
  })

  it('shows a whole block that is short, and nothing where nothing stands', () => {
    const text = describeBreak(
      { ...found, place: { message: 1, block: 0 } },
      sentOf(talk([[said('a')], [said('b')]])),
      before,
    )
    expect(text).toContain('--- message 1 (assistant), block 0 of user\n{"type":"text","text":"b"}\n+++ nothing\n')
  })

  it('shows tools, sections and settings by what they hold, or by their hash', () => {
    const tool = (hash: string, content?: object) => ({
      hash,
      owner: 'tools',
      name: 'read',
      ...(content && { content }),
    })
    const tools = describeBreak(
      { ...found, cause: 'tools' },
      { ...before, tools: [tool('1', { name: 'read' })] },
      { ...after, tools: [tool('2'), tool('3')] },
    )
    expect(tools).toContain('--- read of tools\n{"name":"read"}\n+++ read of tools\n2\n')
    const added = describeBreak({ ...found, cause: 'system' }, before, { ...after, system: [tool('4')] })
    expect(added).toContain('--- nothing\n\n+++ read of tools\n4\n')
    const settings = describeBreak({ ...found, cause: 'settings' }, before, { ...after, settings: 'effort low' })
    expect(settings).toContain('+++ settings\neffort low\n')
  })

  it('shows no blocks where none differ', () => {
    const { place: _, reason: __, ...rest } = found
    expect(describeBreak({ ...rest, cause: 'expired', owner: 'core' }, before, before)).not.toContain('---')
  })
})
