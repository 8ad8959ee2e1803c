import { hashOf } from '../hash.js'
import { coreState } from '../log/timeline.js'
import { type Composition, composeEpoch, epochKey, keepReferenced } from '../prompt/epoch.js'
import type { PromptChanges } from '../types/events.js'
import type { Edit, Json } from '../types/log.js'
import { broughtIn } from './agent.js'
import type { Runtime } from './runtime.js'
import { accepted, tellEdit } from './undo.js'

type Prompting = Pick<Runtime, 'compositions' | 'contributions' | 'conversation'>

/** System and tools as they are now, with what the conversation still refers to. */
export async function composeNow({ compositions, contributions, conversation }: Prompting): Promise<Composition> {
  const composed = await composeEpoch(contributions.sections(), contributions.tools())
  return keepReferenced(composed, compositions.of(conversation.epoch()), conversation.rendering().messages)
}

/**
 * How the prompt in force differs from one that was made now: in texts that are the same for everyone, and in tools. What
 * belongs to one session, such as the date, is worked out when it begins and is meant to stay.
 */
export async function outdatedIn({
  compositions,
  contributions,
  conversation,
}: Prompting): Promise<PromptChanges | undefined> {
  const before = compositions.of(conversation.epoch())
  const { messages } = conversation.rendering()
  const sections = contributions.sections().filter(({ section }) => section.scope === 'static')
  const now = keepReferenced(await composeEpoch(sections, contributions.tools()), before, messages)
  const [old, fresh] = [textsOf(before), textsOf(now)]
  const [had, has] = [toolsOf(before), toolsOf(now)]
  const known = broughtIn(messages)
  const changes: PromptChanges = {
    sections: [...new Set([...missing(fresh, old), ...missing(old, fresh)])],
    tools: {
      added: [...has.keys()].filter((name) => !had.has(name) && !known.has(name)),
      gone: [...had.keys()].filter((name) => !has.has(name)),
      changed: [...has].flatMap(([name, hash]) => (had.has(name) && had.get(name) !== hash ? [name] : [])),
    },
  }
  const all = [changes.sections, ...Object.values(changes.tools)]
  return all.some(({ length }) => length > 0) ? changes : undefined
}

/** The texts that are the same for everyone, with their names. */
function textsOf({ sections, epoch }: Composition): ReadonlyMap<string, string> {
  return new Map(
    sections.flatMap(({ name, scope }, index) =>
      scope === 'static' ? [[String(epoch.system[index]?.text), name]] : [],
    ),
  )
}

/** The names of those texts that are not among the others. */
function missing(texts: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([text, name]) => (others.has(text) ? [] : [name]))
}

function toolsOf({ epoch }: Composition): ReadonlyMap<string, string> {
  return new Map(epoch.tools.map((tool) => [nameOf(tool), hashOf(tool as object)]))
}

function nameOf(tool: Json): string {
  return String((tool as { readonly name?: string }).name)
}

/** Goes on with system and tools as they are now. It is an edit: priced, in the log, and taken back as any other. */
export async function takeUp(runtime: Runtime): Promise<Edit | undefined> {
  const { conversation, compositions } = runtime
  const now = await composeNow(runtime)
  if (epochKey(now.epoch) === epochKey(conversation.epoch())) return undefined
  compositions.add(now)
  const proposal = { owner: 'user', reason: 'take up', changes: [{ kind: 'renew' as const, epoch: now.epoch }] }
  const entries = () => [coreState('epoch', now)]
  return tellEdit(runtime, accepted(await conversation.edit(proposal, { entries })))
}
