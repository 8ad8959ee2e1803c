import { describe, expect, it } from 'vitest'
import { estimateBlock, estimateText } from '../../src/tokens/estimate.js'
import type { Block } from '../../src/types/log.js'

describe('an estimate', () => {
  it.each([
    ['abc', 3 * 0.2675],
    ['12', 2 * 0.9947],
    [' \t', 2 * 0.1747],
    ['\n\n', 2 * 1.2287],
    ['{}', 2 * 0.4885],
    ['──', 2 * 0.1535],
    ['', 0],
  ])('weighs the characters of %o', (text, tokens) => {
    expect(estimateText(text)).toBeCloseTo(tokens, 10)
  })

  it('takes a letter of another script as about one token', () => {
    expect(estimateText('修复登录')).toBeCloseTo(3.6)
    expect(estimateText('ошибка')).toBeCloseTo(5.4)
  })

  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'x'.repeat(90_000) } }
  const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'x'.repeat(90_000) } }
  const blocks: [string, Block, number][] = [
    ['text', { type: 'text', text: 'abc' }, estimateText('abc')],
    [
      'a call',
      { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } },
      estimateText('read{"path":"a"}'),
    ],
    ['a result', { type: 'tool_result', tool_use_id: 'toolu_1', content: 'abc' }, estimateText('abc')],
    ['an empty result', { type: 'tool_result', tool_use_id: 'toolu_1' }, 0],
    ['an image', image, 2_000],
    ['a document', pdf, 2_000],
    ['a document of text', { type: 'document', source: { type: 'text', data: 'abc' } }, estimateText('abc')],
    [
      'a result with an image',
      { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'abc' }, image] },
      estimateText('abc') + 2_000,
    ],
    ['thinking that is shown', { type: 'thinking', thinking: 'a'.repeat(100), signature: 's' }, 26.75],
    ['thinking that is not shown', { type: 'thinking', thinking: '', signature: 's'.repeat(100) }, 19],
    [
      'something unknown',
      { type: 'new', a: 1, cache_control: { type: 'ephemeral' } },
      estimateText('{"type":"new","a":1}'),
    ],
  ]
  it.each(blocks)('of %s', (_, block, tokens) => {
    expect(estimateBlock(block)).toBeCloseTo(tokens, 10)
    expect(estimateBlock(block)).toBeCloseTo(tokens, 10)
  })
})
