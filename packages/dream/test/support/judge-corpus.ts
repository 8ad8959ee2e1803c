import { createWorkspace } from '../../src/change/workspace.js'
import type { Said } from '../../src/logs/logs.js'
import type { Memory } from '../../src/memory/memory.js'
import type { Surroundings } from '../../src/rules/judge.js'
import { readTombstones } from '../../src/rules/tombstones.js'
import { createEditor } from '../../src/tool/editor.js'
import { INSTRUCTIONS, REPOSITORY } from '../corpus/repository.js'
import type { CorpusConversation } from '../corpus/types.js'
import { memoryFile } from './stage.js'

const surroundings: Surroundings = {
  isInRepository: (name) => REPOSITORY.some((known) => known === name || known.endsWith(`/${name}`)),
  instructions: INSTRUCTIONS,
  forgotten: readTombstones(''),
}

/** A draft, and what the rules said to it: nothing where it was taken. */
export interface Tried {
  readonly conversation: CorpusConversation
  readonly statement: string
  readonly type: string
  readonly isBait: boolean
  readonly objection?: string
}

/** Everything that was said in a conversation, as its log has it. */
function saidIn({ name, day, messages }: CorpusConversation): readonly Said[] {
  const time = Date.parse(`${day}T10:00:00Z`)
  return messages.map(({ by, text }, index) => ({
    session: name,
    entry: `e${index}`,
    by,
    text,
    time: time + index * 1_000,
  }))
}

/** Lets a model that writes whatever there is to write loose on a conversation: the rules alone stand in its way. */
export async function tryAll(
  conversation: CorpusConversation,
): Promise<{ tried: readonly Tried[]; taken: readonly Memory[] }> {
  const workspaces = { person: createWorkspace(new Map()), project: createWorkspace(new Map()) }
  let ids = 0
  const editor = createEditor({
    workspaces,
    witnesses: { said: saidIn(conversation) },
    surroundings,
    project: '/project',
    now: () => Date.parse(`${conversation.day}T12:00:00Z`),
    newId: () => `m-${ids++}`,
  })
  const drafts = [
    ...conversation.bait.map((bait) => ({ ...bait, isBait: true })),
    ...conversation.facts.map((fact) => ({ ...fact, name: fact.statement.slice(0, 40), isBait: false })),
  ]
  const tried: Tried[] = []
  for (const [index, { name, type, statement, quote, isBait }] of drafts.entries()) {
    const file = memoryFile({ name, type, quote, statement })
    const path = `/memories/${type === 'user' || type === 'feedback' ? 'person/' : ''}draft-${index}.md`
    const objection = await editor.write({ command: 'create', path, text: file }).then(
      () => undefined,
      (error: Error) => error.message,
    )
    tried.push({ conversation, statement, type, isBait, ...(objection !== undefined && { objection }) })
  }
  const taken = [...workspaces.person.memories().live.values(), ...workspaces.project.memories().live.values()]
  return { tried, taken }
}
