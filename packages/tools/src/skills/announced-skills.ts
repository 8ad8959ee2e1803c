import type { Edit, Hooks, PromptSection, Restorer, SetupContext, View } from '@nacre/core'
import type { FoundSkills } from './find-skills.js'
import { OWNER, skillsEntry } from './invoked-skills.js'
import { listSkills } from './list-skills.js'
import type { Skill } from './skill.js'

/** Names that the model knows: from the system prompt, and from notes since then. */
interface Announced {
  readonly listed: readonly string[]
  readonly noted: readonly string[]
}

export interface Announcing {
  readonly context: Pick<SetupContext, 'store' | 'model'>
  find(): Promise<FoundSkills>
}

/** A hundredth of the window, at four characters a token. */
const SHARE = 0.04
const HEAD = `Skills are instructions for special kinds of tasks. Where one fits, load it with the tool Skill before the work begins. There are:`
const CAME_IN = 'Skills that have come in since, for the tool Skill:'

/** Tells the model which skills there are: in the prompt as far as they are known by then, and by notes as they come. */
export function announcedSkills({ context, find }: Announcing): {
  readonly section: PromptSection
  readonly hooks: Hooks
  readonly restorer: Restorer
} {
  const { store } = context
  const budget = context.model.window * SHARE
  let listed: readonly string[] = []
  let noted: readonly string[] = []
  const available = async () => (await find()).skills.filter(({ isForModel }) => isForModel)
  const keep = (announced: Announced) => store.append([skillsEntry('announced', { ...announced })])
  const hooks: Hooks = {
    async SessionStart({ source }) {
      if (source === 'startup') await keep({ listed, noted: [] })
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
    async ViewChanged({ edit, view }) {
      const known = readAnnounced(view)
      if (isOwnNote(edit)) await keep({ ...known, noted: [...known.noted, ...noted] })
      if (hasEpoch(edit)) await keep({ listed, noted: [] })
    },
  }
  const section: PromptSection = {
    name: 'skills',
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
