import { resolve } from 'node:path'
import {
  type Contribution,
  definePlugin,
  type HookContext,
  type ModelInfo,
  type Plugin,
  type SetupContext,
} from '@nacre/core'
import { OWNER, stateEntry } from './covering/coverage.js'
import { createTurnNumbers } from './covering/turn-numbers.js'
import { notesPath } from './file/notes-path.js'
import { sweepUnfinished } from './file/sweep-unfinished.js'
import { memoryCommand } from './memory-command.js'
import { createNotesBook } from './notes-book.js'
import { FLAGS, type Parts, type SessionMemoryFlag } from './parts.js'
import { priceNotice } from './price-notice.js'
import { notesRelief } from './relief/notes-relief.js'
import { readSettings, type SessionMemoryOptions, type Settings } from './settings.js'
import { createDesk } from './update/desk.js'
import { createSpending } from './update/spending.js'
import { updateTool } from './update/update-tool.js'
import { createUpdater } from './update/updater.js'

/** Layer 3: notes are kept while a session goes on, so that a compaction finds its summary written. */
export function sessionMemory(options: SessionMemoryOptions = {}): Plugin<SessionMemoryFlag> {
  const settings = readSettings(options)
  return definePlugin({
    name: OWNER,
    flags: FLAGS,
    async setup(context) {
      const parts = partsOf(settings, context)
      await sweepUnfinished(parts.book.path)
      return contribute(parts, context.model)
    },
  })
}

function partsOf(settings: Settings, { sessionId, cwd, store, flag, now }: SetupContext<SessionMemoryFlag>): Parts {
  const { home, project = resolve(cwd), sections } = settings
  const path = notesPath({ ...(home !== undefined && { home }), project, session: sessionId })
  const book = createNotesBook({ session: sessionId, path, sections, store })
  const spending = createSpending(home, now)
  return { settings, store, book, turns: createTurnNumbers(), desk: createDesk(), spending, flag, now }
}

function contribute(parts: Parts, first: ModelInfo): Contribution {
  const { settings, store, spending, turns, desk } = parts
  const updater = createUpdater(parts)
  let session: HookContext | undefined
  let model = first
  const offered = (now: ModelInfo) => {
    model = now
  }
  return {
    tools: [updateTool(settings.sections, desk)],
    reliefs: [notesRelief({ ...parts, settled: updater.settled, view: () => session?.view(), offered })],
    commands: [memoryCommand({ ...parts, stopped: updater.stopped })],
    hooks: {
      SessionStart: (_event, context) => {
        session = context
      },
      PostModelCall({ response, view }, context) {
        turns.count(response.id, view)
        updater.heard(response, context)
      },
      async ViewChanged({ edit, view }) {
        if (edit.changes.some((change) => change.kind === 'replace' && change.redacts)) await parts.book.forget()
        if (edit.owner !== OWNER || !edit.receipt) return
        const bill = { spent: spending.sinceFold(true), model, growth: settings.growth }
        const notice = priceNotice(edit, bill)
        if (notice && !view.state(OWNER, 'priced')) await store.append([notice, stateEntry('priced', true)])
      },
      SessionEnd: () => updater.close(),
    },
  }
}
