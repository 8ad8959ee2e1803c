import { expect, it } from 'vitest'
import { mix } from '../../src/measure/digest.js'

it('tells texts apart that differ in one place', () => {
  const texts = new Set<string>()
  for (let number = 0; number < 100_000; number++) {
    texts.add(`message ${number}`)
    texts.add(`${number} message`)
    texts.add(`${'word '.repeat(20)}${number}${' word'.repeat(20)}`)
  }
  expect(new Set([...texts].map((text) => mix(text))).size).toBe(texts.size)
})

it('spreads a change of one character over the whole hash', () => {
  const lanes = (text: string) => mix(text).match(/.{6}/g) ?? []
  for (let at = 0; at < 100; at++) {
    const text = 'x'.repeat(100)
    const other = `${text.slice(0, at)}y${text.slice(at + 1)}`
    expect(lanes(text)).toHaveLength(4)
    const same = lanes(text).filter((lane, index) => lane === lanes(other)[index])
    expect(same).toEqual([])
  }
})

it('depends on the order and the number of characters', () => {
  expect(new Set(['', 'a', 'aa', 'ab', 'ba', 'aab', 'aba', 'baa', '\0', '\0\0'].map((text) => mix(text))).size).toBe(10)
})

it('is another hash with another seed', () => {
  const texts = ['', 'a', 'some text', 'word '.repeat(40)]
  expect(new Set([...texts.map((text) => mix(text)), ...texts.map((text) => mix(text, 1))]).size).toBe(8)
})

it('tells characters apart that differ in their highest bit only', () => {
  const withHighBits = (bits: number) =>
    Array.from({ length: 24 }, (_, at) => String.fromCharCode(120 | (((bits >> (at % 12)) & 1) << 15))).join('')
  expect(new Set(Array.from({ length: 4096 }, (_, bits) => mix(withHighBits(bits)))).size).toBe(4096)
})
