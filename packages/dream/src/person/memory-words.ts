import { NacreError } from '@nacre/core'
import type { Scope } from '../folders/memory-folder.js'
import { MEMORY_TYPES, type MemoryType } from '../memory/memory.js'
import type { Commit, FileDiff } from '../repository/types.js'
import type { CommitView, InboxView, Memories, MemoryView } from './open-memories.js'

/** What can be said after `memory`, with what it does: one list for help, completion and errors. */
export const MEMORY_WORDS: readonly (readonly [words: string, help: string])[] = [
  ['list [--all]', 'lists the memories of this project and your own; --all with the archive'],
  ['show <memory>', 'shows one, with where it comes from'],
  ['search <words>', 'finds memories by words'],
  ['add <text> [--type <type>] [--name <name>] [--person | --project]', 'saves a text as it is'],
  ['pin <memory>', 'keeps one in the prompt; nobody but you changes it'],
  ['unpin <memory>', 'takes that back'],
  ['forget <memory>', 'archives one, and it is never learnt again'],
  ['purge <memory>', 'takes one out of the history too, and names the sessions that still hold it'],
  ['log [<memory>]', 'lists the changes, newest first'],
  ['diff <change>', 'shows what a change did'],
  ['undo [<change>]', 'takes a change back; the last one unless told'],
  ['blame <memory>', 'shows which change brought each line'],
  ['verify', 'looks whether evidence, files and commands are still there'],
  ['inbox', 'lists changes that wait for you, each with a diff and a reason'],
  ['accept <change>', 'makes one that waits'],
  ['reject <change>', 'drops one that waits, for good'],
  ['pause [--off]', 'stops learning and dreaming in this project, or goes on'],
  ['cost', 'what memory has cost, by day'],
  ['import <file>…  [--person]', 'takes in memory files that you have'],
]

/** Does what a line after `memory` says, and gives the text that a person reads. */
export async function runMemoryWords(memories: Memories, line: string): Promise<string> {
  const [word = 'list', ...words] = splitWords(line)
  const rest = words.filter((each) => !each.startsWith('--')).join(' ')
  const need = (what: string) => {
    if (rest === '') throw new NacreError('INVALID_REQUEST', `memory ${word} needs ${what}.`)
    return rest
  }
  const has = (option: string) => words.includes(option)
  const actions: Readonly<Record<string, () => Promise<string>>> = {
    list: async () => formatList(await memories.list({ withArchive: has('--all') })),
    show: async () => formatShown(await memories.show(need('a memory'))),
    search: async () => formatList(await memories.search(need('words')), 'No memory fits.'),
    add: async () => `Saved: ${formatView(await addFrom(memories, words))}`,
    pin: async () => `Pinned: ${formatView(await memories.pin(need('a memory'), true))}`,
    unpin: async () => `Unpinned: ${formatView(await memories.pin(need('a memory'), false))}`,
    forget: async () =>
      `Forgotten, and never learnt again: ${(await memories.forget(need('a memory'))).memory.name}. Undo it with: memory undo`,
    purge: async () => formatPurge(await memories.purge(need('a memory'))),
    log: async () => formatLog(await memories.log(rest === '' ? {} : { memory: rest })),
    diff: async () => formatDiff(await memories.diff(need('a change'))),
    undo: async () => `Undone: ${formatCommit(await memories.undo(rest === '' ? undefined : rest))}`,
    blame: async () => formatBlame(await memories.blame(need('a memory'))),
    verify: async () => formatFindings(await memories.verify()),
    inbox: async () => formatInbox(await memories.inbox()),
    accept: async () => `Accepted: ${formatCommit(await memories.accept(need('the id of a change')))}`,
    reject: async () =>
      `Rejected: ${(await memories.reject(need('the id of a change'))).item.group.reasons.join('; ')}`,
    pause: async () => {
      await memories.pause(!has('--off'))
      return has('--off')
        ? 'Memory learns again.'
        : 'Nothing is learnt or dreamt in this project until: memory pause --off'
    },
    cost: async () => formatCost(await memories.cost()),
    import: async () => {
      const paths = words.filter((each) => !each.startsWith('--'))
      if (paths.length === 0) throw new NacreError('INVALID_REQUEST', 'memory import needs files.')
      const { added, left } = await memories.import(paths, has('--person') ? { scope: 'person' } : {})
      return [`Imported ${added.length} memories.`, ...left.map((why) => `Left out: ${why}.`)].join('\n')
    },
  }
  const action = actions[word]
  if (action) return action()
  const known = Object.keys(actions).join(', ')
  throw new NacreError('INVALID_REQUEST', `There is no 'memory ${word}'. Use one of ${known}.`)
}

function splitWords(line: string): readonly string[] {
  return [...line.trim().matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
}

async function addFrom(memories: Memories, words: readonly string[]): Promise<MemoryView> {
  const given = (option: string) => (words.includes(option) ? (words[words.indexOf(option) + 1] ?? '') : undefined)
  const [type, name] = [given('--type'), given('--name')]
  if (type !== undefined && !MEMORY_TYPES.includes(type as MemoryType)) {
    throw new NacreError('INVALID_REQUEST', `--type is one of ${MEMORY_TYPES.join(', ')}.`)
  }
  const scope: Scope | undefined = words.includes('--person')
    ? 'person'
    : words.includes('--project')
      ? 'project'
      : undefined
  const isValue = (index: number) => ['--type', '--name'].includes(words[index - 1] ?? '')
  const text = words.filter((word, index) => !word.startsWith('--') && !isValue(index)).join(' ')
  return memories.add(text, {
    ...(type !== undefined && { type: type as MemoryType }),
    ...(name && { name }),
    ...(scope && { scope }),
  })
}

const WHOSE: Readonly<Record<Scope, string>> = { person: 'you', project: 'project' }

export function formatView({ scope, memory, isIndexed, unverified, uses, cited }: MemoryView): string {
  const marks = [
    memory.type,
    WHOSE[scope],
    ...(memory.isPinned ? ['pinned'] : []),
    ...(isIndexed ? ['in the index'] : []),
    ...(uses > 0 ? [`recalled ${uses}×, cited ${cited}×`] : []),
    ...(memory.gone ? [memory.gone.how] : []),
    ...(unverified === undefined ? [] : [`not loaded: ${unverified}`]),
  ]
  return `${memory.name} (${memory.id}; ${marks.join(', ')})`
}

function formatList(views: readonly MemoryView[], none = 'There are no memories yet.'): string {
  return views.length === 0
    ? none
    : views.map((view) => `- ${formatView(view)}\n  ${view.memory.description}`).join('\n')
}

function formatShown(view: MemoryView & { readonly text: string }): string {
  return `${formatView(view)}\n\n${view.text.trimEnd()}`
}

function formatPurge({ memory, sessions }: Awaited<ReturnType<Memories['purge']>>): string {
  const where =
    sessions.length === 0
      ? 'No log of this project holds its words.'
      : `Its words still stand in the logs of these sessions: ${sessions.join(', ')}.`
  return `Purged: ${memory.id} is gone from the folder, its history and its objects; a tombstone without its words is left. ${where}`
}

function time({ time: at }: Commit): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

export function formatCommit({ scope, commit }: CommitView): string {
  const { by, summary, dollars, consent } = commit.cause
  const marks = [WHOSE[scope], by, ...(consent ? [consent] : []), ...(dollars ? [`$${dollars.toFixed(4)}`] : [])]
  return `${commit.id.slice(0, 8)} ${time(commit)} ${summary} (${marks.join(', ')})`
}

function formatLog(commits: readonly CommitView[]): string {
  if (commits.length === 0) return 'Nothing has been changed yet.'
  return commits
    .map((view) => [formatCommit(view), ...(view.commit.cause.details ?? []).map((line) => `    ${line}`)].join('\n'))
    .join('\n')
}

function formatDiff({ files, ...view }: Awaited<ReturnType<Memories['diff']>>): string {
  return [formatCommit(view), ...files.map(formatFile)].join('\n')
}

/** A file before and after, line by line. */
export function formatFile({ path, before, after }: FileDiff): string {
  const [old, fresh] = [before?.trimEnd().split('\n') ?? [], after?.trimEnd().split('\n') ?? []]
  const [was, is] = [new Set(old), new Set(fresh)]
  return [
    `${before === undefined ? 'new' : after === undefined ? 'gone' : 'changed'}: ${path}`,
    ...old.filter((line) => !is.has(line)).map((line) => `  - ${line}`),
    ...fresh.filter((line) => !was.has(line)).map((line) => `  + ${line}`),
  ].join('\n')
}

function formatBlame(lines: Awaited<ReturnType<Memories['blame']>>): string {
  return lines
    .map(({ text, commit }) => `${commit.id.slice(0, 8)} ${time(commit)} ${commit.cause.by.padEnd(10)} ${text}`)
    .join('\n')
}

function formatFindings(findings: Awaited<ReturnType<Memories['verify']>>): string {
  if (findings.length === 0) return 'All memories rest on what is there.'
  return findings.map(({ name, path, problem }) => `- ${name} (${path}): ${problem}`).join('\n')
}

export function formatInbox(items: readonly InboxView[]): string {
  if (items.length === 0) return 'Nothing waits for you.'
  const one = ({ scope, item }: InboxView) =>
    [
      `${item.id} (${WHOSE[scope]}, ${item.by}) waits because ${item.reasons.join('; ')}`,
      ...item.group.reasons.map((reason) => `  ${reason}`),
      ...item.group.edits.map((edit) => formatFile(edit).replace(/^/gm, '  ')),
    ].join('\n')
  return `${items.map(one).join('\n\n')}\n\nmemory accept <id>, or memory reject <id>`
}

function formatCost(days: Awaited<ReturnType<Memories['cost']>>): string {
  if (days.length === 0) return 'Memory has cost nothing yet.'
  return days
    .map(({ day, bills }) => {
      const sum = (by: string) =>
        bills.filter((bill) => bill.by === by).reduce((total, { dollars }) => total + dollars, 0)
      return `${day}  extraction $${sum('extraction').toFixed(4)}  dreams $${sum('dream').toFixed(4)}  in ${bills.length} runs`
    })
    .join('\n')
}
