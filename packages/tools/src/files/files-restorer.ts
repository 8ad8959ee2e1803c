import { dirname, join } from 'node:path'
import { estimateText, type Restored, type RestoreEvent, type Restorer, type Round, type View } from '@nacre/core'
import { isInstructionFile } from '../paths/instruction-name.js'
import { fileBytes } from './file-bytes.js'
import { atPlace } from './file-place.js'
import { findResult } from './find-result.js'
import { toLf } from './line-ends.js'
import { numbered } from './numbered.js'
import { recentFiles } from './recent-files.js'
import { OWNER, type Sighting } from './sightings.js'
import { decodeText } from './text-file.js'

const FILES = 5
const TOKENS = 5_000
const FULL_WINDOW = 200_000

/** Brings the files that were last worked with back after a fold, as they are on disk by then. */
export const filesRestorer: Restorer = {
  name: 'files',
  async restore(event) {
    const kept = keptRounds(event)
    const paths = recentFiles(event.view).filter((path) => !isElsewhere(path) && !isShown(event.view, kept, path))
    const budget = Math.min(TOKENS * Math.min(1, event.view.tokens.window / FULL_WINDOW), event.budget)
    const restored: Restored[] = []
    for (const path of paths) {
      if (restored.length === FILES) break
      const text = await textOf(path, budget, event.signal)
      if (text !== undefined) restored.push({ what: path, text, status: 'live' })
    }
    return restored
  },
}

/** Instructions and plans come back by those who keep them. */
function isElsewhere(path: string): boolean {
  return isInstructionFile(path) || dirname(path).endsWith(join('.nacre', 'plans'))
}

/** The rounds that the fold leaves. */
function keptRounds({ view, folded }: RestoreEvent): readonly Round[] {
  const from = view.rounds.findIndex(({ span }) => span.from === folded.from)
  const to = view.rounds.findLastIndex(({ span }) => span.to === folded.to)
  return view.rounds.filter((_, index) => index < from || index > to)
}

function isShown(view: View, rounds: readonly Round[], path: string): boolean {
  const sightings = (view.state(OWNER, path) ?? []) as unknown as readonly Sighting[]
  return sightings.some(({ call, shown }) => {
    const found = shown === '' ? undefined : findResult(rounds, call)
    return found !== undefined && view.shows(found) === 'whole'
  })
}

/** `undefined` for what is no text. A path that leads elsewhere by now is as good as gone. */
async function textOf(path: string, budget: number, signal: AbortSignal): Promise<string | undefined> {
  try {
    const found = await atPlace(path, { callId: '', cwd: '/' }, {}, (place) => fileBytes(place, signal))
    if (!found) return GONE
    const file = decodeText(found.bytes)
    return file && cut(toLf(file.text), budget)
  } catch {
    signal.throwIfAborted()
    return GONE
  }
}

const GONE = 'It can not be read any more: it was removed or moved since you last worked with it.'

/** As many lines as fit, with their numbers. */
function cut(text: string, budget: number): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const shown: string[] = []
  let tokens = 100
  for (const line of lines) {
    const next = numbered([line], shown.length + 1)
    tokens += estimateText(next) + 1
    if (tokens > budget) break
    shown.push(next)
  }
  const rest =
    shown.length < lines.length ? `\n(Lines 1 to ${shown.length} of ${lines.length}. Read it for the others.)` : ''
  return `${shown.join('\n')}${rest}\n(As it is on disk now. Read it again before you change it.)`
}
