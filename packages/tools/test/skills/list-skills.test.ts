import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listSkills } from '../../src/skills/announced-skills.js'

const skill = (name: string, length: number) => ({ name, description: 'd'.repeat(length) })

describe('the list of skills', () => {
  it('is whole where there is room', () => {
    expect(listSkills([skill('a', 3), skill('b', 5)], 100)).toBe('- a: ddd\n- b: ddddd')
  })

  it('has the longest descriptions cut, all to the same length', () => {
    const lines = listSkills([skill('a', 300), skill('b', 10), skill('c', 90)], 160).split('\n')
    expect(lines.map((line) => line.length - '- a: '.length)).toEqual([66, 10, 66])
    expect(lines[0]?.endsWith('…')).toBe(true)
  })

  it('cuts no character in two', () => {
    const lines = listSkills([{ name: 'a', description: `x${'😀'.repeat(100)}` }], 50)
    expect(lines).not.toMatch(/\p{Cs}/u)
    expect(listSkills([{ name: 'a', description: '😀'.repeat(100) }], 50)).not.toMatch(/\p{Cs}/u)
  })

  it('has names only where descriptions would tell nothing, and then as many names as fit', () => {
    const skills = ['alpha', 'beta', 'gamma', 'delta'].map((name) => skill(name, 100))
    expect(listSkills(skills, 60)).toBe('- alpha\n- beta\n- gamma\n- delta')
    expect(listSkills(skills, 30)).toBe('- alpha\n- beta\n… and 2 more')
  })

  it('never is longer than its budget, and cuts none while a longer one is whole', () => {
    const skills = fc.array(fc.record({ name: fc.stringMatching(/^[a-z]{1,12}$/), length: fc.nat(400) }), {
      maxLength: 40,
    })
    fc.assert(
      fc.property(skills, fc.integer({ min: 14, max: 4_000 }), (given, budget) => {
        const all = given.map(({ name, length }) => skill(name, length))
        const text = listSkills(all, budget)
        expect(text.length).toBeLessThanOrEqual(budget)
        if (all.length === 0 || !text.includes(':')) return
        const lines = text.split('\n')
        expect(lines).toHaveLength(all.length)
        const cut = all.filter((_, index) => lines[index]?.endsWith('…'))
        const whole = all.filter((_, index) => !lines[index]?.endsWith('…'))
        const longestWhole = Math.max(0, ...whole.map(({ description }) => description.length))
        for (const { description } of cut) expect(description.length).toBeGreaterThanOrEqual(longestWhole)
      }),
      { seed: 7, numRuns: 500 },
    )
  })
})
