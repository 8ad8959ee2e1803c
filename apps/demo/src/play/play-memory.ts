import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Edit, Session, SessionEvent } from '@nacre/core'
import { dream, type Memories, openMemories } from '@nacre/dream'
import { count, money, percent } from '../outcome/figures.js'
import type { Narrator } from '../outcome/narrator.js'
import type { Firing, LongTermMemory } from '../outcome/outcome.js'
import { openSession } from './open-session.js'
import { ask, type Stage } from './play-run.js'
import { RELATED, SAID, SAID_AGAIN, SAID_LATER, UNRELATED } from './story.js'
import { type Watcher, watchLayers } from './watch-layers.js'

const WEEK = 7 * 86_400_000

/** What the acts of this scene need. */
interface Scene {
  readonly stage: Stage
  readonly narrator: Narrator
  readonly watcher: Watcher
  readonly memories: Memories
  /** The requests of the conversation, whole. */
  readonly sent: readonly string[]
}

type Extracted = LongTermMemory['extracted']

/** Two conversations in which something durable is said, and a third one that knows of it, dreams and takes that back. */
export async function playMemory(stage: Stage, narrator: Narrator, watcher: Watcher): Promise<LongTermMemory> {
  const { home, project } = stage.place
  const sent: string[] = []
  const stop = stage.simulator.observe(({ entry, body }) => void (entry.source === 'main' && sent.push(body)))
  const scene = { stage, narrator, watcher, memories: await openMemories({ home, project, now: later }), sent }
  narrator.scene('Memory: learn, know it in the next session, dream, undo')
  narrator.command('nacre', 'a new session; from here on with long-term memory')
  const extracted = await learn(scene, 'first', SAID, Date.now)
  narrator.command('nacre', 'another session, a week later by its clock')
  extracted.push(...(await learn(scene, 'second', SAID_LATER, later)))
  narrator.command('nacre', 'the session after that')
  const session = await open(scene, 'third', later)
  const known = await comeBack(scene, session, extracted)
  narrator.command(`/memory add "${SAID_AGAIN}" --type project`)
  narrator.output(await session.command('memory', `add "${SAID_AGAIN}" --type project`))
  const dreamt = await dreamAndUndo(scene, session)
  await session.close()
  stop()
  return { extracted, ...known, ...dreamt }
}

function later(): number {
  return Date.now() + WEEK
}

async function open({ stage, watcher }: Scene, id: string, now: () => number): Promise<Session> {
  const { home, project } = stage.place
  // Notes of conversations this short would only stand in the way of what is shown.
  const place = { ...stage.place, flags: { ...stage.place.flags, 'session-memory': false } }
  const session = await openSession(place, { id }, { plugins: [dream({ home, project })], now })
  watchLayers(session, watcher)
  session.events.on('event', (event) => {
    const names = event.type === 'edit' ? broughtBack(event.edit) : []
    const [noun, verb] = names.length === 1 ? ['memory', 'comes'] : ['memories', 'come']
    const text = `${names.length} ${noun} ${verb} with the prompt, no model call: ${names.join('; ')}`
    if (names.length > 0) fire(watcher, { layer: 'remembered', text })
  })
  return session
}

/** The names of memories in a note that came with a prompt. */
function broughtBack({ owner, changes }: Edit): readonly string[] {
  if (owner !== 'dream') return []
  return changes.flatMap((change) => {
    const text = change.kind === 'insert' ? change.note.text : ''
    return text.startsWith('From long-term memory')
      ? [...text.matchAll(/^## (.+?) \(/gm)].map(([, name = '']) => name)
      : []
  })
}

function fire({ fired, requests }: Watcher, firing: Pick<Firing, 'layer' | 'text'> & Partial<Firing>): void {
  fired({ freed: 0, dollars: 0, callsAvoided: 0, ...firing, request: requests() })
}

/** A session in which something is said; once it is closed, what was learnt of it is there. */
async function learn(scene: Scene, id: string, prompt: string, now: () => number) {
  const { memories, narrator, watcher } = scene
  const before = new Set((await memories.list()).map(({ memory }) => memory.id))
  const session = await open(scene, id, now)
  const bill = billOf(session, 'extract_memories')
  await ask(session, prompt, narrator)
  await session.close()
  const fresh = (await memories.list()).flatMap(({ memory }) => (before.has(memory.id) ? [] : [memory]))
  const extracted = fresh.map(({ body, source }) => ({
    statement: body,
    quote: source.kind === 'session' ? (source.evidence[0]?.quote ?? '') : '',
  }))
  const { dollars, fromCache } = bill()
  const quotes = extracted.map(({ quote }) => `"${quote}"`).join(' ')
  const text = `${facts(extracted.length)} saved, with the words of the person as evidence: ${quotes} ${money(dollars)}, ${percent(fromCache)} of the input from the cache`
  if (extracted.length > 0) fire(watcher, { layer: 'extracted', dollars, fromCache, text })
  await narrator.flush()
  return extracted
}

function facts(number: number): string {
  return number === 1 ? '1 fact is' : `${count(number)} facts are`
}

type Usage = Extract<SessionEvent, { readonly type: 'usage' }>['usage']

/** What was asked beside a conversation for one purpose, from here on. */
function billOf(session: Session, source: string): () => { readonly dollars: number; readonly fromCache: number } {
  const usages: Usage[] = []
  session.events.on('event', (event) => {
    if (event.type === 'usage' && event.source === source) usages.push(event.usage)
  })
  const sum = (figure: (usage: Usage) => number) => usages.reduce((total, usage) => total + figure(usage), 0)
  return () => {
    const read = sum(({ cacheRead }) => cacheRead)
    const all = read + sum(({ input, cacheWrite5m, cacheWrite1h }) => input + cacheWrite5m + cacheWrite1h)
    return { dollars: sum(({ dollars }) => dollars), fromCache: read / Math.max(1, all) }
  }
}

/** Asks what no memory fits, then what one does: the other way round, the first answer would be in view for the second. */
async function comeBack({ sent, narrator }: Scene, session: Session, extracted: Extracted) {
  const statements = extracted.map(({ statement }) => statement)
  const first = sent.length
  await ask(session, UNRELATED, narrator)
  const without = sent.slice(first)
  const isLeftOut = without.length > 0 && !without.some((body) => statements.some((words) => body.includes(words)))
  await ask(session, RELATED, narrator)
  const isBroughtBack = statements.some((words) => sent.at(-1)?.includes(words))
  return { isBroughtBack, isLeftOut }
}

async function dreamAndUndo(
  { memories, narrator, watcher }: Scene,
  session: Session,
): Promise<Pick<LongTermMemory, 'dream' | 'undo'>> {
  const folder = memories.folders.project.path
  const [live, files] = [await memories.list(), await readFiles(folder)]
  const bill = billOf(session, 'dream')
  narrator.command('/dream')
  const receipt = await session.command('dream')
  narrator.output(receipt)
  const after = (await memories.list({ withArchive: true })).map(({ memory }) => memory)
  const isKept = (id: string, body: string) => after.some((each) => each.id === id && each.body.includes(body))
  const kept = live.filter(({ memory: { id, body } }) => isKept(id, body)).length
  const merged = after.filter(({ gone }) => gone?.how === 'merged').length
  const waiting = (await memories.inbox()).flatMap(({ item }) => item.reasons)
  const { dollars, fromCache } = bill()
  const text = `${merged} of ${live.length} memories merged, ${waiting.length} contradiction left to the person; ${kept} of ${live.length} facts are in use or in the archive, word for word; ${money(dollars)}`
  if (merged + waiting.length > 0) fire(watcher, { layer: 'dreamt', dollars, fromCache, text })
  narrator.command('/memory inbox')
  narrator.output(withoutFiles(await session.command('memory inbox')))

  const dreamt = await readFiles(folder)
  const changed = new Set([...files.keys(), ...dreamt.keys()].filter((path) => files.get(path) !== dreamt.get(path)))
    .size
  narrator.command('/memory undo')
  narrator.output(await session.command('memory', 'undo'))
  const now = await readFiles(folder)
  const same = now.size === files.size ? [...files].filter(([path, bytes]) => now.get(path) === bytes).length : 0
  const undone = `the dream had changed ${changed} files; ${same} of ${files.size} are what they were before it, to the byte`
  if (changed > 0) fire(watcher, { layer: 'restored', text: undone })
  await narrator.flush()
  return { dream: { receipt, merged, waiting, facts: live.length, kept }, undo: { files: files.size, changed, same } }
}

/** Why changes wait and what they are; their files, line by line, would fill a page. */
function withoutFiles(inbox: string): string {
  const lines = inbox.split('\n')
  return lines.filter((line) => line.trim() !== '' && !/^ +(?:[-+] |(?:new|gone|changed): )/.test(line)).join('\n')
}

/** The bytes of all files of a memory folder, without its history and its state. */
async function readFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
  const own = paths.filter((path) => !path.slice(folder.length + 1).startsWith('.')).sort()
  return new Map(await Promise.all(own.map(async (path) => [path, await readFile(path, 'latin1')] as const)))
}
