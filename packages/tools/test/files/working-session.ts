import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { definePlugin, type PluginList, type Round, type Session, type SessionOptions, type View } from '@nacre/core'
import { scripted } from '@nacre/simulator'
import { files, textOf } from '../../src/index.js'
import { folding } from '../support/folding.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { temporaryFolder } from '../support/temporary-folder.js'

export type Call = readonly [name: string, input: { readonly [key: string]: unknown }]

/** Clears every result in view, or the first, as a layer would, when it is told to by its command. */
const clearing = definePlugin({
  name: 'clearing',
  setup: () => ({
    commands: [
      {
        name: 'clear-results',
        help: 'Clears every result in view, or the `first`.',
        async run(args, { propose, view }) {
          const changes = cleared(view())
          const done = await propose({ reason: 'cleared', changes: args === 'first' ? changes.slice(0, 1) : changes })
          return JSON.stringify(done)
        },
      },
    ],
  }),
})

function cleared(view: View) {
  return view.rounds.flatMap(({ entries }) =>
    entries.flatMap(({ id, content }) =>
      content.flatMap((block, index) =>
        block.type === 'tool_result'
          ? [{ kind: 'replace' as const, target: { entry: id, block: index }, content: [{ ...block, content: '-' }] }]
          : [],
      ),
    ),
  )
}

/** Folds all that was before the last prompt. */
const foldOlder = folding((rounds) => rounds.slice(0, Math.max(0, rounds.findLastIndex(isPrompted))))

function isPrompted({ entries: [first] }: Round): boolean {
  return first?.kind === 'user' && first.content[0]?.type === 'text'
}

/** A session in a folder of its own, whose model makes the calls that a test tells it to. */
export async function workingSession(plugins: (folder: string) => PluginList = () => [files()]) {
  const folder = await temporaryFolder()
  const answers: { readonly calls: readonly Call[] }[] = []
  const model = scripted(() => {
    const { calls } = answers.shift() ?? { calls: [] }
    return calls.length === 0 ? 'Done.' : calls.map(([name, input]) => ({ type: 'tool_use', name, input }))
  })
  const setup = await setUp(model)
  const reports: string[] = []
  const options: Partial<SessionOptions> = {
    cwd: folder,
    plugins: [...plugins(folder), clearing, foldOlder],
    details: { ask: async () => 'allow', report: ({ message }) => reports.push(message) },
  }
  const at = (name: string) => join(folder, name)
  return {
    ...setup,
    folder,
    reports,
    at,
    options,
    start: (more: Partial<SessionOptions> = {}) => setup.start({ ...options, ...more }),
    write: (name: string, content: string) => writeFile(at(name), content),
    content: (name: string) => readFile(at(name), 'utf8'),
    /** Lets the model make calls, one answer for each list, and gives what the calls brought, in their order. */
    async work(session: Session, ...turns: readonly (readonly Call[])[]) {
      answers.push(...turns.map((calls) => ({ calls })), { calls: [] })
      const events = await eventsOf(session.query('Go on.'))
      return events.flatMap((event) => (event.type === 'tool-end' ? [textOf(event.result)] : []))
    },
    /** What stands in the last request. */
    lastRequest: () => JSON.parse(setup.bodies.at(-1) ?? '{}') as { system: unknown; messages: readonly unknown[] },
  }
}

export const read = (file_path: string, more: object = {}): Call => ['Read', { file_path, ...more }]

export const edit = (file_path: string, old_string: string, new_string: string): Call => [
  'Edit',
  { file_path, old_string, new_string },
]
