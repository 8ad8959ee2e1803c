import { type AssistantEntry, foldDraft, type HookContext, type View } from '@nacre/core'
import { readMinutes, stateEntry } from './minutes-state.js'
import { roundsUpTo, spanOf } from './rounds-up-to.js'

const PROMPT =
  'Write the minutes of this conversation: what was asked, what was done, what was decided. Ten lines at most.'

export interface MinutesTask
  extends Pick<HookContext, 'fork' | 'hooks' | 'signal' | 'store'>,
    Partial<Pick<HookContext, 'propose'>> {
  readonly view: View
}

/** Whether so many rounds were answered since the last minutes, and nothing is open right now. */
export function needsMinutes(view: View, response: AssistantEntry, every: number): boolean {
  if (response.stop !== 'end_turn') return false
  const written = readMinutes(view)
  const known = written ? view.rounds.findIndex(({ entries }) => entries.some(({ id }) => id === written.covers)) : -1
  return view.rounds.length - 1 - known >= every
}

/** Asks the model beside the conversation and keeps what it says. With `propose` it also folds at once. */
export async function writeMinutes({ view, store, hooks, fork, propose, signal }: MinutesTask): Promise<void> {
  const answers = await hooks.collect('PreMinutes', { view })
  const prompt = [PROMPT, ...answers.map(({ answer }) => answer.mention)].join('\n')
  const { text, covers } = await fork({
    source: 'minutes',
    prompt: [{ type: 'text', text: prompt }],
    maxTurns: 1,
    allow: () => false,
    signal,
  })
  if (text.trim() === '') return
  await store.append([stateEntry('minutes', { text, covers })])
  const span = spanOf(roundsUpTo(view, covers))
  if (propose && span) await propose(foldDraft(view, span, text, { reason: 'by the minutes, at once' }))
}
