import { describe, expect, it } from 'vitest'
import type { Firing } from '../src/outcome/outcome.js'
import { drawChart, painter, table, wrap } from '../src/tell/terminal.js'
import { tally, terminalNarrator } from '../src/tell/terminal-narrator.js'

const firing: Firing = { layer: 'stored', request: 2, freed: 10, dollars: 0, callsAvoided: 0, text: 'put away' }

function told(): { narrator: ReturnType<typeof terminalNarrator>; lines: string[]; pauses: () => number } {
  const lines: string[] = []
  let pauses = 0
  const pause = async () => {
    pauses += 1
  }
  const narrator = terminalNarrator({ write: (text) => void lines.push(text), paint: painter(false), width: 60, pause })
  return { narrator, lines, pauses: () => pauses }
}

describe('the narrator', () => {
  it('says why a layer is there once, and counts calls that nothing came between', async () => {
    const { narrator, lines, pauses } = told()
    narrator.prompt('Look.\n\nA long text')
    for (const name of ['Read', 'Read', 'Bash']) narrator.call({ id: '1', name, input: {} })
    narrator.fired(firing)
    narrator.fired(firing)
    await narrator.flush()
    const text = lines.join('')
    expect(text).toContain('Look. [11 characters pasted]')
    expect(text).toContain('  · Read ×2, Bash\n')
    expect(text.match(/stored result\n {4}put away/g)).toHaveLength(2)
    expect(text.match(/A long result/g)).toHaveLength(1)
    expect(pauses()).toBe(lines.length)
  })

  it('stays within the width', async () => {
    const { narrator, lines } = told()
    narrator.fired({ ...firing, text: 'many words '.repeat(30) })
    narrator.answer('and more words '.repeat(30))
    await narrator.flush()
    for (const line of lines.join('').split('\n')) expect(line.length).toBeLessThanOrEqual(60)
  })

  it('keeps the lines of what a command prints, and wraps those that are too long', async () => {
    const { narrator, lines } = told()
    narrator.output(`Done.\n- one\n- ${'two '.repeat(20)}`)
    await narrator.flush()
    const text = lines.join('')
    expect(text).toMatch(/^ {4}Done\.\n {4}- one\n {4}- two two/)
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
  })

  it('says that it asks again, and why', async () => {
    const { narrator, lines } = told()
    narrator.retried(2, 'Connection error.')
    await narrator.flush()
    expect(lines).toEqual(['  Connection error. Asked again (2).\n'])
  })
})

it('wraps between words, and gives what is too long a line of its own', () => {
  expect(wrap('one two three', 8)).toBe('one two\nthree')
  expect(wrap('one enormously two', 5, ' ')).toBe('one\n enormously\n two')
})

it('sets a table in columns where they fit, and row by row where they do not', () => {
  const rows = (width: number) =>
    table(
      ['layer', 'fired', 'cost'],
      [
        ['stored', '1', ''],
        ['noted', '12', '$3'],
      ],
      painter(false),
      width,
    )
  expect(rows(19)).toBe('layer   fired  cost\nstored      1\nnoted      12    $3')
  expect(rows(18)).toBe('stored\n  fired 1\nnoted\n  fired 12, cost\n  $3')
})

it('tallies runs', () => {
  expect(tally(['Todo', 'Read', 'Read', 'Todo'])).toBe('Todo, Read ×2, Todo')
})

it('draws every series with its mark, the last one on top', () => {
  const points = [10, 50, 90].map((tokens, index) => ({ request: index + 1, tokens, dollars: 0 }))
  const chart = drawChart(
    [
      { mark: '·', name: 'all', points },
      { mark: '●', name: 'first', points: points.slice(0, 1) },
    ],
    40,
    60,
  )
  expect(chart.match(/·/g)).toHaveLength(3)
  expect(chart.match(/●/g)).toHaveLength(2)
  expect(chart).toMatch(/┤╌+\n/)
  expect(chart).toMatch(/ ╌ the window of 60$/)
  expect(chart).toMatch(/^90 ┤/m)
})
