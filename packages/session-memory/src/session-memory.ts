import { resolve } from 'node:path'
import {
  type Command,
  type Contribution,
  definePlugin,
  type Edit,
  estimateText,
  type HookContext,
  type Id,
  type ModelInfo,
  type NoticeEntry,
  type Plugin,
  type SetupContext,
} from '@nacre/core'
import { type Coverage, createTurnNumbers, OWNER, stateEntry } from './covering/coverage.js'
import { writeNotes } from './notes/notes.js'
import { notesRelief } from './notes-relief.js'
import {
  FLAGS,
  readSettings,
  type SessionMemoryFlag,
  type SessionMemoryOptions,
  type Settings,
} from './settings/settings.js'
import { createNotesStore, notesPath, sweepUnfinished } from './store/notes-store.js'
import { createPendingEdits, updateTool } from './update/update-tool.js'
import { createSpending, createUpdater, type MemoryContext, type Updater } from './update/updater.js'

/** Layer 3: notes are kept while a session goes on, so that a compaction finds its summary written. */
export function sessionMemory(options: SessionMemoryOptions = {}): Plugin<SessionMemoryFlag> {
  const settings = readSettings(options)
  return definePlugin({
    name: OWNER,
    flags: FLAGS,
    async setup(context) {
      const memory = memoryOf(settings, context)
      await sweepUnfinished(memory.notesStore.path)
      return contribute(memory, context.model)
    },
  })
}

function memoryOf(
  settings: Settings,
  { sessionId, cwd, store, flag, now }: SetupContext<SessionMemoryFlag>,
): MemoryContext {
  const { home, project = resolve(cwd), sections } = settings
  const path = notesPath({ ...(home !== undefined && { home }), project, session: sessionId })
  const notesStore = createNotesStore({ session: sessionId, path, sections, store })
  const turns = createTurnNumbers()
  const pendingEdits = createPendingEdits()
  const spending = createSpending(home, now)
  return { settings, store, notesStore, turns, pendingEdits, spending, flag, now }
}

function contribute(memory: MemoryContext, first: ModelInfo): Contribution {
  const { settings, store, spending, turns, pendingEdits } = memory
  const updater = createUpdater(memory)
  let session: HookContext | undefined
  let model = first
  /** The end of the coverage of which it was said that it is too far back. */
  let behind: Id | undefined
  return {
    tools: [updateTool(settings.sections, pendingEdits)],
    reliefs: [
      notesRelief(memory, {
        settled: updater.settled,
        view: () => session?.view(),
        onOffer: (now) => {
          model = now
        },
        onBehind(coverage, tokens, most) {
          // A climb asks more than once, and the notes are no nearer until an update has come to its end.
          if (behind === coverage.covers) return
          behind = coverage.covers
          void store.append([behindNotice(coverage, tokens, most)]).catch(() => undefined)
        },
      }),
    ],
    commands: [memoryCommand(memory, updater)],
    hooks: {
      SessionStart: (_event, context) => {
        session = context
      },
      PostModelCall({ response, view }, context) {
        turns.count(response.id, view)
        updater.onResponse(response, context)
      },
      async ViewChanged({ edit, view }) {
        if (edit.changes.some((change) => change.kind === 'replace' && change.redacts)) await memory.notesStore.forget()
        if (edit.owner !== OWNER || !edit.receipt) return
        const notice = priceNotice(edit, { spent: spending.sinceFold(true), model, growth: settings.growth })
        if (notice && !view.state(OWNER, 'priced')) await store.append([notice, stateEntry('priced', true)])
      },
      SessionEnd: () => updater.close(),
    },
  }
}

const HELP = 'Shows the notes of this session: how far they go, where they are, what they say.'

/** Shows the notes to people. Its name has two words, so that a program can gather all commands that begin with the first. */
function memoryCommand({ notesStore, settings, turns, flag }: MemoryContext, updater: Updater): Command {
  return {
    name: 'memory session',
    help: HELP,
    async run(args, context) {
      if (args.trim() !== '') return `${HELP} It takes no arguments.`
      const { notes, coverage, file } = await notesStore.read(context.view())
      const stopped = updater.stopped()
      const lines = [
        coverage
          ? `Covers up to turn ${coverage.turn} of ${Math.max(coverage.turn, turns.last())}. ${notesStore.path}`
          : `There are no notes yet. They will be in ${notesStore.path}`,
        ...(file === 'damaged' ? ['The file is damaged; this is what the log has. The next update mends it.'] : []),
        ...(file === 'foreign' ? ['The file is not about what is in view; this is what the log has.'] : []),
        ...(stopped === undefined ? [] : [`There are no more updates: ${stopped}`]),
        ...(flag('updates') ? [] : ['Updates are switched off.']),
      ]
      return coverage ? `${lines.join('\n')}\n\n${writeNotes(notes, settings.sections)}` : lines.join('\n')
    },
  }
}

/** What a fold by notes cost and would have cost. */
interface NotesBill {
  /** Dollars of the updates since the fold before. */
  readonly spent: number
  readonly model: ModelInfo
  readonly growth: number
}

const MILLION = 1_000_000

/**
 * What people are told when the notes for a fold have cost more than a summary would have: that request reads all of
 * the view and writes about as many words. `undefined` when they paid.
 */
export function priceNotice({ receipt, changes }: Edit, { spent, model, growth }: NotesBill): NoticeEntry | undefined {
  const fold = changes.find((change) => change.kind === 'fold')
  if (!receipt || !fold) return undefined
  const { before } = receipt.tokens
  const { read, output } = model.price(before)
  const written = estimateText(String(fold.content[1]?.text ?? ''))
  const summary = (before * read + written * output) / MILLION
  if (spent <= summary) return undefined
  const text = `On ${model.id} notes save time, not money: those for this compaction have cost $${spent.toFixed(3)}, a summary would have cost about $${summary.toFixed(3)} and a wait. A growth above ${growth} makes notes cheaper and their coverage older.`
  return { kind: 'notice', id: '', time: 0, owner: OWNER, level: 'info', text }
}

/** Why a compaction that the notes could have made goes on to a dearer one. */
function behindNotice({ turn }: Coverage, tokens: number, most: number): NoticeEntry {
  const figure = (count: number) => Math.round(count).toLocaleString('en-US')
  const text = `The notes cover up to turn ${turn}; the ${figure(tokens)} tokens behind it are more than the ${figure(most)} that may stay as they are, so this compaction is not made by the notes.`
  return { kind: 'notice', id: '', time: 0, owner: OWNER, level: 'info', text }
}
