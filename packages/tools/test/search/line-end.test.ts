import { expect, it } from 'vitest'
import { grep } from './ask.js'
import { tree } from './tree.js'

it.each([
  ['a\\nb', true],
  ['a\nb', true],
  ['\\\\\\n', true],
  ['[a]\\n', true],
  ['[]a]\\n', true],
  ['a\\\\nb', false],
  ['[^\\n]+', false],
  ['[]\\n]+', false],
  [`${'[]a]'.repeat(40)}b`, false],
])('Grep knows whether %j asks for a line end', async (pattern, asks) => {
  const folder = await tree({ 'a.txt': 'x' })
  expect((await grep(folder, { pattern })).includes('set multiline to true')).toBe(asks)
})
