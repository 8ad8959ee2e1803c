import { expect, it } from 'vitest'
import { link } from './link.js'

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
