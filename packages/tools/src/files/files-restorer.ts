import { dirname, join } from 'node:path'
import { estimateText, type Restored, type Restorer, type Round, type View } from '@nacre/core'
import { keptRounds } from '../kept-rounds.js'
import { isInstructionFile } from '../paths/instruction-name.js'
import { bytesAt } from './bytes-at.js'
import { findResult } from './find-result.js'
import { toLf } from './line-ends.js'
import { numbered } from './numbered.js'
import { recentFiles } from './recent-files.js'
import { OWNER, type Sighting } from './sightings.js'
import { decodeText } from './text-file.js'

const FILES = 5
const TOKENS = 5_000
const FULL_WINDOW = 200_000
/** Real tokens may be more than the estimate, and what does not fit is left out whole. */
const SHARE = 0.7
/** The tokens of what stands around a file. */
const FRAME = 100

/** Brings the files that were last worked with back after a fold, as they are on disk by then. */
export const filesRestorer: Restorer = {
  name: 'files',
  async restore(event) {
    const kept = keptRounds(event)
    const paths = recentFiles(event.view).filter((path) => !isElsewhere(path) && !isShown(event.view, kept, path))
    const most = TOKENS * Math.min(1, event.view.tokens.window / FULL_WINDOW)
    let room = event.budget * SHARE
    const restored: Restored[] = []
    for (const path of paths) {
      if (restored.length === FILES || room < FRAME) break
      const text = await textOf(path, Math.min(most, room), event.signal)
      if (text === undefined) continue
      room -= estimateText(text) + FRAME
      restored.push({ what: path, text, status: 'live' })
    }
    return restored
  },
}

/** Instructions and plans come back by those who keep them. */
function isElsewhere(path: string): boolean {
  return isInstructionFile(path) || dirname(path).endsWith(join('.nacre', 'plans'))
}

function isShown(view: View, rounds: readonly Round[], path: string): boolean {
  const sightings = (view.state(OWNER, path) ?? []) as unknown as readonly Sighting[]
  return sightings.some(({ call, shown }) => {
    const found = shown === '' ? undefined : findResult(rounds, call)
    return found !== undefined && view.shows(found) === 'whole'
  })
}

/** `undefined` for what is no text. */
async function textOf(path: string, budget: number, signal: AbortSignal): Promise<string | undefined> {
  const found = await bytesAt(path, signal)
  if (!found) return GONE
  const file = decodeText(found.bytes)
  return file && cut(toLf(file.text), budget)
}

const GONE = 'It can not be read any more: it was removed or moved since you last worked with it.'
const HEAD = 'As it is on disk now. Read it again before you change it.'

/** As many lines as fit, with their numbers. */
function cut(text: string, budget: number): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const shown: string[] = []
  let tokens = FRAME
  for (const line of lines) {
    const next = numbered([line], shown.length + 1)
    tokens += estimateText(next) + 1
    if (tokens > budget) break
    shown.push(next)
  }
  const rest =
    shown.length < lines.length ? [`(Lines 1 to ${shown.length} of ${lines.length}. Read it for the others.)`] : []
  return [HEAD, ...shown, ...rest].join('\n')
}
