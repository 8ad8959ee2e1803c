import { expect, it } from 'vitest'
import { blobName, isBlobName } from '../../src/stores/names.js'

it.each([
  ['out.txt', 'out.txt'],
  ['../../etc/passwd', 'etc-passwd'],
  ['.hidden', 'hidden'],
  ['a b/c.tar.gz', 'a-b-c.tar.gz'],
  ['con.txt', 'blob-con.txt'],
  ['', 'blob'],
  ['🐚', 'blob'],
])('makes a safe file name of %j', (name, expected) => {
  expect(blobName(name)).toBe(expected)
  expect(isBlobName(blobName(name))).toBe(true)
})

it('numbers a second one before its extension', () => {
  expect(blobName('out.txt', 2)).toBe('out-2.txt')
  expect(blobName('x'.repeat(500), 12).length).toBeLessThan(120)
  expect(isBlobName(blobName('x'.repeat(500), 12))).toBe(true)
})

it('knows names that lead elsewhere', () => {
  expect(['..', '../a', 'a/b', 'a\\b', '', '.tmp-1', 'a\u0000'].some(isBlobName)).toBe(false)
})
