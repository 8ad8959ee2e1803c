import { describe, expect, it } from 'vitest'
import { compare, readFigures } from './figures.mjs'

const lines = [
  { files: 40, bought: 'The first thing.' },
  { files: 50, bought: 'A second one.' },
]

describe('a figure', () => {
  it.each([45, 50])('holds at %i of 50', (measured) => {
    expect(compare('a query', measured, 'files', lines)).toBeUndefined()
  })

  it('is raised by a line that says what was bought', () => {
    expect(compare('a query', 51, 'files', lines)).toContain('add a line that says what it bought')
    expect(compare('a query', 51, 'files', [...lines, { files: 51, bought: 'A third.' }])).toBeUndefined()
    expect(compare('a query', 51, 'files', [...lines, { files: 51, bought: '' }])).toContain('does not say')
  })

  it('has to follow when what it measures becomes much smaller', () => {
    expect(compare('a query', 44, 'files', lines)).toContain('still says 50')
  })

  it('holds for nothing that could not be measured', () => {
    expect(compare('a query', Number.NaN, 'files', lines)).toContain('NaN files')
  })

  it('has to be there', () => {
    expect(compare('a query', 44, 'files')).toContain('no line in figures.json')
    expect(compare('a query', 44, 'kB', lines)).toContain('no line in figures.json')
  })
})

it('every line of figures.json says what was bought', () => {
  const { sizes, executed } = readFigures()
  const all = [...Object.values(sizes), ...Object.values(executed).flatMap((journey) => Object.values(journey))]
  for (const line of all.flat()) expect(line.bought).toMatch(/\w/)
})
