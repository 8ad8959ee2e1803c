import { toUsage } from '../anthropic/read-stream.js'
import { isComplete } from '../log/timeline.js'
import { resolveModel } from '../models/resolve-model.js'
import type { AssistantEntry, Block, Change, Entry } from '../types/log.js'
import { checkEdit } from '../view/check-edit.js'
import { createProjection, type Projection } from '../view/projection.js'
import type { SessionItem } from './join-records.js'

/** Who the edits of an import belong to. */
export const OWNER = 'import'

export interface WrittenLog {
  readonly entries: readonly Entry[]
  readonly problems: readonly string[]
}

type Of<Kind extends SessionItem['kind']> = Extract<SessionItem, { kind: Kind }>

interface Writing {
  readonly entries: Entry[]
  readonly problems: string[]
  readonly projection: Projection
  /** Results that no call has taken yet. */
  readonly results: Map<string, Of<'result'>>
  /** Calls that wait for their result. */
  readonly open: Set<string>
  /** How many rounds there were behind each record: where a prompt goes on from. */
  readonly rounds: Map<string, number>
}

/** Writes what happened as a log. Edits pass the same checks as any: one that does not is left out and reported. */
export function writeLog(items: readonly SessionItem[]): WrittenLog {
  const results = new Map<string, Of<'result'>>()
  for (const item of items) if (item.kind === 'result' && !results.has(item.call)) results.set(item.call, item)
  const projection = createProjection()
  const writing: Writing = { entries: [], problems: [], projection, results, open: new Set(), rounds: new Map() }
  for (const item of items) {
    write(writing, item)
    writing.rounds.set(item.id, projection.timeline.rounds.length)
  }
  closeCalls(writing, items.at(-1)?.time ?? 0)
  return writing
}

function write(writing: Writing, item: SessionItem): void {
  if (item.kind === 'prompt') writePrompt(writing, item)
  else if (item.kind === 'result') writeResult(writing, item)
  else if (item.kind === 'response') writeResponse(writing, item)
  else if (item.kind === 'boundary') writeFold(writing, item)
}

function append(writing: Writing, entry: Entry): void {
  writing.entries.push(entry)
  writing.projection.append(entry)
}

function writePrompt(writing: Writing, item: Of<'prompt'>): void {
  const { id, time, content, isMeta } = item
  if (!isMeta) {
    closeCalls(writing, time, 'lost')
    writeRewind(writing, item)
  }
  append(writing, {
    kind: 'user',
    id,
    time,
    content,
    ...(isMeta && { isMeta }),
    ...(isOutput(content) && { isOutput: true }),
  })
}

const OUTPUT = /^\s*<(?:local-command|bash)-std(?:out|err)>/

/** Claude Code puts what `!` and commands print among the words of the person, between tags of its own. */
function isOutput(content: readonly Block[]): boolean {
  return content.every(({ type, text }) => type === 'text' && OUTPUT.test(String(text)))
}

function writeResult(writing: Writing, { id, time, call, content }: Of<'result'>): void {
  if (writing.open.delete(call)) append(writing, { kind: 'user', id, time, content })
  else if (writing.results.has(call))
    writing.problems.push(`The result of call ${call} has no call, or is not the first.`)
  writing.results.delete(call)
}

function writeResponse(writing: Writing, item: Of<'response'>): void {
  closeCalls(writing, item.time)
  const { id, time, content, model, messageId } = item
  if (content.length === 0) {
    writing.problems.push(`Response ${messageId} is empty and was left out.`)
    return
  }
  const calls = content.flatMap((block) => (block.type === 'tool_use' ? [String(block.id)] : []))
  const { usage } = toUsage(item.usage, resolveModel(model))
  const stop = item.stop ?? (calls.length ? 'tool_use' : 'end_turn')
  const entry: AssistantEntry = { kind: 'assistant', id, time, content, model, messageId, usage, stop, prefix: '' }
  append(writing, entry)
  for (const call of calls) writing.open.add(call)
}

/** Gives each open call its result: the one that came too late, or one that says that nobody knows. */
function closeCalls(writing: Writing, time: number, which: 'all' | 'lost' = 'all'): void {
  for (const call of writing.open) {
    const late = writing.results.get(call)
    if (late && which === 'lost') continue
    if (late) append(writing, { kind: 'user', id: late.id, time: late.time, content: late.content })
    else {
      append(writing, { kind: 'user', id: `${OWNER}-${call}`, time, content: [lostResult(call)] })
      writing.problems.push(`Call ${call} has no result; it may or may not have run.`)
    }
    writing.results.delete(call)
    writing.open.delete(call)
  }
}

function lostResult(call: string) {
  const content = 'The session ended before this call had a result: it may or may not have run.'
  return { type: 'tool_result', tool_use_id: call, content, is_error: true }
}

/** A prompt that goes on from an earlier place: what came behind that place was taken back. */
function writeRewind(writing: Writing, { id, time, parent }: Of<'prompt'>): void {
  const { rounds } = writing.projection.timeline
  const kept = parent === undefined ? undefined : writing.rounds.get(parent)
  const from = kept === undefined ? undefined : rounds[kept]?.entries[0]
  const to = rounds.at(-1)?.entries.at(-1)
  if (!from || !to) return
  writeEdit(writing, id, time, 'rewound in Claude Code', { kind: 'drop', span: { from: from.id, to: to.id } })
}

/** All that was before a boundary, but for a prompt that nobody had answered yet, is what the summary stands for. */
function writeFold(writing: Writing, { id, time, how, summary }: Of<'boundary'>): void {
  closeCalls(writing, time)
  const { rounds } = writing.projection.timeline
  const from = rounds[0]?.entries[0]
  const to = rounds.findLast(isComplete)?.entries.at(-1)
  if (!summary?.length || !from || !to) {
    writing.problems.push(`The compaction ${id} has no summary, or nothing that it could stand for.`)
    return
  }
  const span = { from: from.id, to: to.id }
  writeEdit(writing, id, time, `compacted by Claude Code (${how})`, { kind: 'fold', span, content: summary })
}

function writeEdit(writing: Writing, id: string, time: number, reason: string, change: Change): void {
  const proposal = { owner: OWNER, reason, changes: [change] }
  const refused = checkEdit(writing.projection, proposal)
  if (refused !== undefined) {
    writing.problems.push(`An edit was left out (${reason}): ${refused}`)
    return
  }
  const price = { freed: 0, dollars: 0, breaksAt: null, thinkingLost: 0 }
  append(writing, { kind: 'edit', id: `${OWNER}-${id}`, time, ...proposal, price })
}
