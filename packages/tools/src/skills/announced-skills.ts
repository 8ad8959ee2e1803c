import type { Edit, HookContext, Hooks, PromptSection, Restorer, SetupContext, View } from '@nacre/core'
import { stateEntry } from '../conversation.js'
import { firstChars } from '../text.js'
import type { FoundSkills, Skill } from './find-skills.js'
import { OWNER } from './loaded-skills.js'

/** Names that the model knows: from the system prompt, and from notes since then. */
interface Announced {
  readonly listed: readonly string[]
  readonly noted: readonly string[]
}

/** A hundredth of the window, at four characters a token. */
const SHARE = 0.04
const HEAD = `Skills are instructions for special kinds of tasks. Where one fits, load it with the tool Skill before the work begins. There are:`
const CAME_IN = 'Skills that have come in since, for the tool Skill:'

/** Tells the model which skills there are: in the prompt as far as they are known by then, and by notes as they come. */
export function announcedSkills(
  { model }: Pick<SetupContext, 'model'>,
  find: () => Promise<FoundSkills>,
): { readonly section: PromptSection; readonly hooks: Hooks; readonly restorer: Restorer } {
  const budget = model.window * SHARE
  let listed: readonly string[] = []
  let noted: readonly string[] = []
  const available = async () => (await find()).skills.filter(({ isForModel }) => isForModel)
  const keep = ({ store }: HookContext, announced: Announced) =>
    store.append([stateEntry(OWNER, 'announced', { ...announced })])
  const hooks: Hooks = {
    async SessionStart({ source }, context) {
      if (source === 'startup') await keep(context, { listed, noted: [] })
    },
    async PreparePrompt(_event, { note, view }) {
      const known = readAnnounced(view())
      const names = new Set([...known.listed, ...known.noted])
      const fresh = (await available()).filter(({ name }) => !names.has(name))
      if (fresh.length === 0) return
      noted = fresh.map(({ name }) => name)
      note({ text: `${CAME_IN}\n${listSkills(fresh, budget)}`, trust: 'content', tag: OWNER })
    },
    // Only what has become part of the view was told: a draft may be refused, and a note may get lost.
    async ViewChanged({ edit, view }, context) {
      const known = readAnnounced(view)
      if (isOwnNote(edit)) await keep(context, { ...known, noted: [...known.noted, ...noted] })
      if (hasEpoch(edit)) await keep(context, { listed, noted: [] })
    },
  }
  const section: PromptSection = {
    name: OWNER,
    scope: 'session',
    async text() {
      const skills = await available()
      listed = skills.map(({ name }) => name)
      return skills.length > 0 ? `${HEAD}\n${listSkills(skills, budget - HEAD.length - 1)}` : undefined
    },
  }
  return { section, hooks, restorer: announcedRestorer(available, budget) }
}

/** Names what notes have told of. A fold from the start needs none of it: the prompt is made anew with it. */
function announcedRestorer(available: () => Promise<readonly Skill[]>, budget: number): Restorer {
  return {
    name: 'new-skills',
    async restore({ view, folded }) {
      const { noted } = readAnnounced(view)
      if (noted.length === 0 || view.rounds[0]?.span.from === folded.from) return []
      const skills = (await available()).filter(({ name }) => noted.includes(name))
      if (skills.length === 0) return []
      return [{ what: 'new skills', text: `${CAME_IN}\n${listSkills(skills, budget)}`, status: 'reference' }]
    },
  }
}

function readAnnounced(view: Pick<View, 'state'>): Announced {
  return (view.state(OWNER, 'announced') as unknown as Announced | undefined) ?? { listed: [], noted: [] }
}

function isOwnNote({ owner, changes }: Edit): boolean {
  return owner === OWNER && changes.some((change) => change.kind === 'insert' && change.note.tag === OWNER)
}

function hasEpoch({ changes }: Edit): boolean {
  return changes.some((change) => 'epoch' in change && change.epoch !== undefined)
}

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
  return text.length <= length ? text : `${firstChars(text, Math.max(0, length - 1)).trimEnd()}…`
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
