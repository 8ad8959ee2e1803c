import { expect, it } from 'vitest'
import { hashText, link } from '../src/hash.js'

const START = 'd41d8cd98f00b204e9800998ecf8427e'

it('tells chains apart that differ in one character anywhere', () => {
  const found = new Set<string>()
  const digits = '0123456789abcdef'
  for (let at = 0; at < START.length; at++) {
    for (const digit of digits) {
      const other = `${START.slice(0, at)}${digit}${START.slice(at + 1)}`
      for (const role of ['user', 'assistant', 'system']) {
        found.add(link(other, role, START))
        found.add(link(START, role, other))
      }
    }
  }
  // All but the unchanged one are different: 15 other digits at each place, on both sides, for each role.
  expect(found.size).toBe(3 * (2 * START.length * 15 + 1))
})

it('spreads a change over all of it, and is the same on every machine', () => {
  const lanes = (hash: string) => hash.match(/.{8}/g) ?? []
  const one = lanes(link(START, 'user', START))
  const other = lanes(link(START, 'user', `${START.slice(0, -1)}f`))
  expect(one.filter((lane, index) => lane === other[index])).toEqual([])
  expect(link('', 'user', '')).toBe(link('', 'user', ''))
  expect(link(START, 'user', START)).toMatch(/^[0-9a-f]{32}$/)
})

it('finds no two alike among two hundred thousand links of one chain', () => {
  const seen = new Set<string>()
  let chain = START
  for (let block = 0; block < 200_000; block++) {
    chain = link(chain, block % 2 ? 'user' : 'assistant', START)
    seen.add(chain)
  }
  expect(seen.size).toBe(200_000)
})

it('takes every code unit of a text in, wherever it stands and whatever comes after it', () => {
  const long = 'The sea was calm, and the boat was late again. '.repeat(40)
  for (const text of [long, long.slice(1), long.slice(5), '海'.repeat(99), '']) {
    const found = new Set([hashText(text), hashText(`${text}\0`), hashText(`${text}\0\0`)])
    for (let at = 0; at < text.length; at++) found.add(hashText(`${text.slice(0, at)}\u{fffd}${text.slice(at + 1)}`))
    expect(found.size).toBe(text.length + 3)
  }
})

it('flips half of its bits when one bit of a text flips', () => {
  const text = 'const answer = await model.ask(question)'
  const before = bits(hashText(text))
  let flipped = 0
  for (let at = 0; at < text.length; at++) {
    const other = String.fromCharCode(text.charCodeAt(at) ^ 1)
    const after = bits(hashText(text.slice(0, at) + other + text.slice(at + 1)))
    flipped += [...after].filter((bit, index) => bit !== before[index]).length
  }
  expect(flipped / text.length).toBeGreaterThan(58)
  expect(flipped / text.length).toBeLessThan(70)
})

function bits(hash: string): string {
  return [...hash].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
}
