import { describe, expect, it } from 'vitest'
import { FILLERS, hex, pick, seeded, textWith, word } from './fillers.js'
import { resultsIn, workSession } from './work-session.js'

const whole = (chance: () => number, from: number, to: number) => from + Math.floor(chance() * (to - from))

type Style = (chance: () => number) => { readonly fact: string; readonly line: string }
const said = (fact: string, line: string) => ({ fact, line: line.replace('@', fact) })

/** Exact facts of several kinds, as tools print them. */
const STYLES: Readonly<Record<string, Style>> = {
  'a path with its line': (chance) =>
    said(`lib/${word(chance)}/${word(chance)}_${word(chance)}.rb:${whole(chance, 10, 900)}`, 'the cause is at @'),
  'a key in prose': (chance) =>
    said(
      `${word(chance).toUpperCase()}-${whole(chance, 100, 999)}-${hex(chance, 3)}`,
      'The release is named @ from now on.',
    ),
  'an error with its words': (chance) =>
    said(`QuotaError: ${word(chance)} exceeded ${whole(chance, 10, 99)} ${word(chance)}`, '    @'),
  'a commit': (chance) => said(`${hex(chance, 6)}a${whole(chance, 1, 9)}`, 'HEAD is now at @ (main)'),
  'a port': (chance) => said(String(whole(chance, 20_000, 60_000)), 'server listens on port @'),
  'a measure': (chance) => said(`${whole(chance, 1_000, 9_999)} rows`, 'imported @ in all'),
  'a setting': (chance) =>
    said(`${word(chance).toUpperCase()}_${word(chance).toUpperCase()}`, 'set @ before the start'),
  'a version': (chance) =>
    said(
      `${whole(chance, 2, 30)}.${whole(chance, 10, 99)}.${whole(chance, 0, 20)}-rc${whole(chance, 1, 9)}`,
      'needs @',
    ),
}

const CALLS = 60

describe('of 60 facts in as many long results', () => {
  it.each(Object.keys(FILLERS))(
    'at least 57 are in view after clearing, among %s',
    async (filler) => {
      const chance = seeded(filler.length * 31)
      const styles = Object.values(STYLES)
      const facts = Array.from({ length: CALLS }, (_, number) => (styles[number % styles.length] as Style)(chance))
      let time = 0
      const work = await workSession({
        calls: CALLS,
        together: 20,
        window: 900_000,
        result: (number) =>
          textWith(facts[number]?.line as string, filler, number % 10 === 9 ? 100_000 : 24_000, number + 1),
        session: { details: { effects: { now: () => time, wait: () => undefined } } },
      })
      await work.run()
      time += 6 * 60_000
      await work.run('Go on.', 0)
      const results = resultsIn(work.requests.at(-1)?.body ?? '')
      expect(results.filter((text) => text.startsWith('[Cleared: '))).toHaveLength(55)
      const lost = facts.filter(({ fact }, number) => !results[number]?.includes(fact))
      expect(lost.map(({ fact }) => fact).slice(3)).toEqual([])
    },
    20_000,
  )
})

it('keeps the names of a line within 40 tokens, whatever stands in the result', async () => {
  const { estimateText } = await import('@nacre/core')
  const { namesIn, tellingNames } = await import('../../src/clear/telling-names.js')
  const chance = seeded(4)
  for (let round = 0; round < 40; round++) {
    const text = Array.from({ length: 200 }, () => pick(chance, [hex, (c: () => number) => word(c)])(chance, 30)).join(
      ' ',
    )
    const names = tellingNames(namesIn(`${text} /${'deep/'.repeat(round)}file.ts`), [], 40)
    expect(estimateText(names.map((name) => `, ${name}`).join(''))).toBeLessThanOrEqual(40)
  }
})
