import type { CompactOptions, Edit, Entry, Id, Receipt, Session } from '@nacre/core'
import { findId, findPrompt, logEntries } from './find-entry.js'
import { receiptLine } from './format.js'
import {
  misuse,
  refusal,
  type SlashCommand,
  type SlashContext,
  type SlashOutput,
  say,
  startingWith,
} from './slash-command.js'

const EXAMPLE = '/compact Keep every SQL statement.'

/** The last dry run of each session, until it is installed. */
const shown = new WeakMap<Session, Receipt>()

/** Folds the conversation, or a part of it, or shows first what that would be. */
export const compactCommand: SlashCommand = {
  name: 'compact',
  help: 'Makes room now: [dry] [from <n|id> | upto <n|id>] [instructions]; `dry` only shows, `use` installs what it showed.',
  example: EXAMPLE,
  complete: (typed) => startingWith(typed, ['dry', 'use', 'from ', 'upto ']),
  async run(args, context) {
    if (args === 'use') return install(context)
    const [, dry, rest = ''] = /^(dry\b)?\s*(.*)$/s.exec(args) ?? []
    const wanted = optionsIn(rest, context)
    if ('wrong' in wanted) return misuse(wanted.wrong, { example: '/compact from 3' }, context)
    return dry ? tryOut(wanted, context) : fold(wanted, context)
  },
}

type Wanted = Pick<CompactOptions, 'instructions' | 'part'>

function optionsIn(args: string, { opened }: SlashContext): Wanted | { readonly wrong: string } {
  const [, side, place, rest = ''] = /^(from|upto)(?:\s+(\S+)\s*(.*))?$/s.exec(args) ?? []
  if (side === undefined) return args === '' ? {} : { instructions: args }
  if (place === undefined) return { wrong: `Say which message after '${side}', by its number in /rewind or its id.` }
  const found = findPrompt(place, opened.session)
  if ('wrong' in found) return { wrong: `${found.wrong} Instructions must not begin with '${side}'.` }
  const part = side === 'from' ? { from: found.id } : { upTo: found.id }
  return { part, ...(rest !== '' && { instructions: rest }) }
}

async function fold(options: Partial<CompactOptions>, context: SlashContext): Promise<SlashOutput> {
  const outcome = await context.opened.session.compact({ by: 'person', ...options, signal: context.signal })
  if ('refused' in outcome) context.signal.throwIfAborted()
  if ('refused' in outcome) return refusal(`Nothing was compacted: ${outcome.refused}`, context)
  return say(receiptLine(outcome.receipt), context)
}

async function tryOut(options: Wanted, context: SlashContext): Promise<SlashOutput> {
  const { session } = context.opened
  const outcome = await session.compact({ by: 'person', ...options, dryRun: true, signal: context.signal })
  if ('refused' in outcome) context.signal.throwIfAborted()
  if ('refused' in outcome) return refusal(`Nothing can be compacted: ${outcome.refused}`, context)
  shown.set(session, outcome.receipt)
  const { receiptInFull } = await import('@nacre/compact')
  const next = 'Nothing is changed yet. /compact use installs exactly this, as long as the conversation stays as it is.'
  return say(`This is what a compaction would do:\n${receiptInFull(outcome.receipt)}\n${next}`, context)
}

async function install(context: SlashContext): Promise<SlashOutput> {
  const { session } = context.opened
  const receipt = shown.get(session)
  if (!receipt) return misuse('There is no dry run to install.', { example: '/compact dry' }, context)
  const output = await fold({ use: receipt }, context)
  if (!output.isError) shown.delete(session)
  return output
}

/** What a compaction kept, folded, restored and cost. */
export const receiptCommand: SlashCommand = {
  name: 'receipt',
  help: 'Shows what the last compaction, or the one named, kept, folded, restored and cost.',
  example: '/receipt 3f2a91c0',
  async run(args, context) {
    const entries = await logEntries(context.opened.session, context.signal)
    const folds = entries.filter((entry): entry is Edit => entry.kind === 'edit' && entry.receipt !== undefined)
    if (folds.length === 0) return say('Nothing has been compacted in this session.', context)
    const ids = folds.map(({ id }) => id)
    const found = args === '' ? { id: ids.at(-1) } : findId(args, ids, 'compaction')
    if ('wrong' in found) return misuse(`${found.wrong} Known: ${ids.join(', ')}.`, receiptCommand, context)
    const edit = folds.find(({ id }) => id === found.id)
    if (!edit?.receipt) return say('Nothing has been compacted in this session.', context)
    const { describeReceipt, receiptInFull } = await import('@nacre/compact')
    const state = takenBack(entries).has(edit.id) ? 'It was taken back.' : 'It is in force.'
    const facts = [`reason     ${edit.reason}`, `time       ${new Date(edit.time).toISOString()}`]
    return say([describeReceipt(edit.receipt), state, ...facts, receiptInFull(edit.receipt)].join('\n'), context)
  },
}

/** Edits that a revert in force takes back; a revert comes after what it reverts, so one walk from the end tells. */
function takenBack(entries: readonly Entry[]): ReadonlySet<Id> {
  const undone = new Set<Id>()
  for (const entry of entries.toReversed()) {
    if (entry.kind !== 'edit' || undone.has(entry.id)) continue
    for (const change of entry.changes) if (change.kind === 'revert') undone.add(change.edit)
  }
  return undone
}
