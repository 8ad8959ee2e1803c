import type { Id } from '@nacre/core'
import {
  ARCHIVE,
  type Evidence,
  evidenceOf,
  INDEX_FILE,
  isMemoryPath,
  type Memory,
  statementOf,
} from '../memory/memory.js'
import { type MemorySet, readMemories } from '../memory/memory-set.js'
import {
  countNegations,
  coverage,
  exactNames,
  isSameText,
  missingNames,
  sentencesOf,
  sharedOrder,
  similarity,
} from '../memory/statement.js'
import type { Consent, Files } from '../repository/types.js'

/** What became of one fact. Every fact has exactly one fate. */
type Fate =
  | { readonly fate: 'kept'; readonly isReworded: boolean }
  | { readonly fate: 'merged' | 'superseded'; readonly into: Id; readonly reason: string }
  | { readonly fate: 'archived'; readonly reason: string }

/** The account of a change: the fate of every fact that was there, and the facts that are new. */
export interface Ledger {
  readonly fates: ReadonlyMap<Id, Fate>
  readonly created: readonly Id[]
  readonly before: MemorySet
  readonly after: MemorySet
}

/** The share of a fact's words that its successor has to have, and of new words that have to be old ones. */
const CARRIED = 0.8
const SAID_BEFORE = 0.6
const SAME_ORDER = 0.5
/** The share of words that a fact and what contradicts it have in common at least; below the second they never do. */
const SAME_TOPIC = 0.3
const OTHER_TOPIC = 0.1

/**
 * Draws up the account of a change from the files alone, whatever whoever made it claims. A change in which a fact is
 * missing, twice, or no longer says what it said is refused, with the reason.
 */
export function drawUp(filesBefore: Files, filesAfter: Files): Ledger | { readonly refused: string } {
  const [before, after] = [readMemories(filesBefore), readMemories(filesAfter)]
  const refused = foreignChange(filesBefore, filesAfter, before, after)
  if (refused !== undefined) return { refused }
  const fates = new Map<Id, Fate>()
  for (const memory of before.live.values()) {
    const fate = fateOf(memory, after)
    if ('refused' in fate) return { refused: `${memory.name} (${memory.id}): ${fate.refused}` }
    fates.set(memory.id, fate)
  }
  for (const memory of before.live.values()) {
    const objection = objectionToAdditions(memory, before, after)
    if (objection !== undefined) return { refused: `${memory.name} (${memory.id}): ${objection}` }
  }
  const created = [...after.live.keys()].filter((id) => !before.live.has(id))
  const risen = created.find((id) => before.archived.has(id))
  if (risen !== undefined) return { refused: `${risen} is in the archive, and only a person brings something back` }
  const unknown = [...after.archived.keys()].find((id) => !before.archived.has(id) && !before.live.has(id))
  if (unknown !== undefined) return { refused: `${unknown} is put into the archive and was never in use` }
  return { fates, created, before, after }
}

/** Files that are no business of a dream or an extraction: what lies in the archive, what is damaged, what is no memory. */
function foreignChange(before: Files, after: Files, was: MemorySet, is: MemorySet): string | undefined {
  for (const [path, text] of before) {
    const isFixed = path.startsWith(ARCHIVE) || was.damaged.some((damage) => damage.path === path)
    if (isFixed && after.get(path) !== text) return `${path} was changed, and only a person may change it`
  }
  const fresh = is.damaged.find(({ path }) => !was.damaged.some((damage) => damage.path === path))
  if (fresh) return `${fresh.path}: ${fresh.problem}`
  const stray = [...after.keys()].find((path) => after.get(path) !== before.get(path) && !isOurs(path))
  return stray === undefined ? undefined : `${stray} is no memory, and nothing else is written here`
}

function isOurs(path: string): boolean {
  return path === INDEX_FILE || isMemoryPath(path) || path.startsWith('logs/') || path === '.gitignore'
}

type Refused = { readonly refused: string }

function fateOf(memory: Memory, after: MemorySet): Fate | Refused {
  const [kept, archived] = [after.live.get(memory.id), after.archived.get(memory.id)]
  if (kept && archived) return { refused: 'it is in use and in the archive at once' }
  if (kept) return keptFate(memory, kept)
  if (!archived) return { refused: 'it is gone: facts are never deleted, only merged, superseded or archived' }
  const { gone } = archived
  if (!gone) return { refused: 'it is in the archive without a word why' }
  if (archived.body !== memory.body) return { refused: 'its text was changed on the way into the archive' }
  if (gone.how === 'archived') return { fate: 'archived', reason: gone.reason }
  if (gone.how === 'forgotten') return { refused: 'only a person has something forgotten' }
  const successor = gone.into === undefined ? undefined : after.live.get(gone.into)
  if (!successor) return { refused: `it is ${gone.how} by ${gone.into ?? 'nothing'}, which is not in use` }
  const objection =
    gone.how === 'merged' ? objectionToMerge(memory, successor) : objectionToSuccession(memory, successor)
  if (objection !== undefined) return { refused: objection }
  return { fate: gone.how, into: successor.id, reason: gone.reason }
}

function keptFate(memory: Memory, kept: Memory): Fate | Refused {
  if (kept.type !== memory.type) return { refused: `its type was changed from ${memory.type} to ${kept.type}` }
  if (kept.created !== memory.created) return { refused: 'the day of its making was changed' }
  if (kept.isPinned !== memory.isPinned) return { refused: 'only a person pins and unpins' }
  const lost = lostEvidence(memory, kept)
  if (lost) return { refused: `its evidence "${lost.quote}" is gone` }
  if (memory.source.kind !== kept.source.kind) return { refused: 'its source was changed' }
  if (kept.body === memory.body) return { fate: 'kept', isReworded: false }
  const objection = objectionToCarrying(memory, kept.body, 'the new text')
  return objection === undefined ? { fate: 'kept', isReworded: true } : { refused: objection }
}

/** What a memory says anew has to be said by what it was made of: its own words, what was merged into it, its quotes. */
function objectionToAdditions(memory: Memory, before: MemorySet, after: MemorySet): string | undefined {
  const kept = after.live.get(memory.id)
  if (!kept || (kept.body === memory.body && kept.name === memory.name && kept.description === memory.description))
    return
  const merged = [...after.archived.values()].filter(({ gone, id }) => gone?.into === memory.id && before.live.has(id))
  const parts = [memory, ...merged].flatMap(({ name, description, body }) => [name, description, body])
  const sources = [...parts, ...evidenceOf(kept).map(({ quote }) => quote)].join('\n')
  const sentences = [kept.name, kept.description, ...sentencesOf(kept.body).map(({ text }) => text)]
  const added = sentences.find(
    (text) => coverage(text, sources) < SAID_BEFORE || missingNames(text, sources).length > 0,
  )
  return added === undefined ? undefined : `nothing that it was made of says "${added.slice(0, 120)}"`
}

function lostEvidence(memory: Memory, kept: Memory): Evidence | undefined {
  const known = new Set(evidenceOf(kept).map((each) => JSON.stringify(each)))
  return evidenceOf(memory).find((each) => !known.has(JSON.stringify(each)))
}

function objectionToMerge(memory: Memory, into: Memory): string | undefined {
  if (memory.type !== into.type) return `a ${memory.type} memory can not become part of a ${into.type} memory`
  const lost = lostEvidence(memory, into)
  if (lost && !isSameText(statementOf(memory), statementOf(into))) {
    return `its evidence "${lost.quote}" did not come along into ${into.name}`
  }
  return objectionToCarrying(memory, into.body, into.name)
}

/** Everything that a memory says, sentence by sentence, has to be said by what takes its place: in the same way round. */
function objectionToCarrying(memory: Memory, text: string, where: string): string | undefined {
  const missing = missingNames(memory.body, text)
  if (missing.length > 0) return `${where} lacks ${missing.map((name) => `'${name}'`).join(', ')}`
  const there = sentencesOf(text).map((each) => each.text)
  for (const { text: said } of sentencesOf(memory.body)) {
    const covering = [...there, text].filter((each) => coverage(said, each) >= CARRIED)
    if (covering.length === 0) return `${where} does not say what it says: "${said.slice(0, 120)}"`
    const negations = countNegations(said)
    const alike = covering.filter((each) => countNegations(each) === negations || isNegatedAsOften(said, each))
    if (alike.length === 0) {
      const isLost = covering.every((each) => countNegations(each) < negations)
      return isLost ? `${where} leaves out what is not to be` : `${where} says 'not' where it did not`
    }
    if (!alike.some((each) => sharedOrder(said, each) >= SAME_ORDER))
      return `${where} says the same words the other way round`
  }
  return undefined
}

/** In a longer text only the part that says it counts. */
function isNegatedAsOften(said: string, text: string): boolean {
  return text.length > said.length * 1.5 && countNegations(text) >= countNegations(said) && countNegations(said) > 0
}

function objectionToSuccession(memory: Memory, by: Memory): string | undefined {
  if (memory.type !== by.type) return `a ${memory.type} memory is not superseded by a ${by.type} memory`
  const [old, fresh] = [statementOf(memory), statementOf(by)]
  if (common(old, fresh) < OTHER_TOPIC) return `${by.name} is about something else`
  if (by.confirmed < memory.confirmed) return `${by.name} is older than what it is to supersede`
  return undefined
}

function common(old: string, fresh: string): number {
  return Math.max(similarity(old, fresh), coverage(fresh, old))
}

export interface ConsentDecision {
  readonly consent: Consent
  /** Why a person is asked; empty where nobody is. */
  readonly reasons: readonly string[]
}

/** More than this share of all facts into the archive at once, and a person is asked. */
const ARCHIVED_AT_ONCE = 1 / 5

/**
 * Whether a person has to be asked: about contradictions, about what they have pinned, and where much would go at once.
 * All else is done and told: a question about every trifle is soon answered without being read.
 */
export function consentTo({ fates, before, after, created }: Ledger, archivedBefore = 0): ConsentDecision {
  const reasons: string[] = []
  let archived = 0
  let isLossless = created.length === 0
  for (const [id, fate] of fates) {
    const was = before.live.get(id) as Memory
    const is = after.live.get(id)
    if (was.isPinned && JSON.stringify(is) !== JSON.stringify(was)) reasons.push(`${was.name} is pinned`)
    if (fate.fate === 'superseded') {
      const by = after.live.get(fate.into) as Memory
      if (!isUpdate(was, by)) reasons.push(`${was.name} and ${by.name} contradict each other`)
    }
    if (fate.fate === 'archived') archived += 1
    const isDuplicate =
      fate.fate === 'merged' && isSameText(statementOf(was), statementOf(after.live.get(fate.into) as Memory))
    if (!isDuplicate && (fate.fate !== 'kept' || fate.isReworded)) isLossless = false
  }
  const [gone, all] = [archived + archivedBefore, fates.size + archivedBefore]
  if (archived > 0 && gone > all * ARCHIVED_AT_ONCE) reasons.push(`${gone} of ${all} memories would be archived`)
  return { consent: reasons.length > 0 ? 'asked' : isLossless ? 'lossless' : 'reversible', reasons }
}

const CHANGED =
  /\b(?:no longer|not any ?more|any ?more|changed?|switched|switch(?:ing)? to|moved|move(?:d|s)? to|migrated|now|from now on|as of|updated?|postponed|pushed (?:back )?to|brought forward|replaced|instead|new (?:deadline|date|address|url|version|name|lead|owner)|renamed|used to|ab jetzt|ab sofort|nicht mehr|inzwischen|désormais|ne plus|ahora|ya no)\b|(?:改为|变成|不再|現在は|になった)/i

/** Whether the user themselves has said that something has changed: then the new word is no contradiction of the old one. */
function isUpdate(old: Memory, by: Memory): boolean {
  const [was, is] = [statementOf(old), statementOf(by)]
  // What it is about has to be the same: staging is not production, whatever has changed there.
  const topic = exactNames(was).reduce((text, name) => text.replaceAll(name, ' '), was)
  if (common(was, is) < SAME_TOPIC || coverage(topic, is) < CARRIED) return false
  const known = new Set(evidenceOf(old).map(({ entry }) => entry))
  return evidenceOf(by).some(
    ({ by: speaker, entry, quote }) => speaker === 'user' && !known.has(entry) && CHANGED.test(quote),
  )
}
