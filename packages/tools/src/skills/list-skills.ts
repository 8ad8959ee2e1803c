import type { Skill } from './skill.js'

type Listed = Pick<Skill, 'name' | 'description'>

/** Below this many characters a description tells nothing. */
const LEAST = 20

/**
 * One line for each skill, within so many characters. Where that is too little the longest descriptions are cut, all to
 * the same length; then there are names only; then as many names as there is room for.
 */
export function listSkills(skills: readonly Listed[], budget: number): string {
  const names = skills.map(({ name }) => `- ${name}`)
  const forNames = names.reduce((sum, line) => sum + line.length + 1, 0)
  const room = budget - forNames - 2 * skills.length
  const cap = evenCap(
    skills.map(({ description }) => description.length),
    room,
  )
  if (cap >= LEAST || skills.every(({ description }) => description.length <= cap)) {
    return skills.map(({ name, description }) => `- ${name}: ${cut(description, cap)}`).join('\n')
  }
  return forNames <= budget ? names.join('\n') : asManyAsFit(names, budget)
}

/** The greatest length to which all can be cut so that they fit together. */
function evenCap(lengths: readonly number[], room: number): number {
  let left = room
  const ascending = lengths.toSorted((one, other) => one - other)
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index))
    if (length > share) return share
    left -= length
  }
  return Number.POSITIVE_INFINITY
}

function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text
        .slice(0, Math.max(0, length - 1))
        .replace(/\p{Cs}$/u, '')
        .trimEnd()}…`
}

function asManyAsFit(names: readonly string[], budget: number): string {
  const ending = (count: number) => `… and ${count} more`
  const kept: string[] = []
  let used = ending(names.length).length
  for (const name of names) {
    used += name.length + 1
    if (used > budget) break
    kept.push(name)
  }
  return [...kept, ending(names.length - kept.length)].join('\n')
}
