import type { Handler, Json, SessionStore, Source, View } from '@nacre/core'
import { realPath } from '../paths/real-path.js'
import { OWNER, stateEntry } from './sightings.js'

const KEY = 'recent'
const KEPT = 20
const TOOLS: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit', 'MultiEdit'])

/** The files that the model has worked with, by their real paths, newest first. */
export function recentFiles(view: View): readonly string[] {
  return (view.state(OWNER, KEY) ?? []) as readonly string[]
}

/** Keeps the list of them. Calls may end side by side, so each looks at what the one before has written. */
export function noteRecent(store: SessionStore, cwd: string): Handler<'PostToolUse'> {
  let last: Promise<unknown> = Promise.resolve()
  return async ({ call, value }, { source, view }) => {
    const path = pathIn(call.input)
    if (!TOOLS.has(call.name) || value.isError || path === undefined || isFork(source)) return
    const next = last.then(() => add(path, view))
    last = next.catch(() => undefined)
    await next
  }

  async function add(path: string, view: () => View): Promise<void> {
    const real = await realPath(path, cwd)
    const recent = recentFiles(view())
    if (recent[0] === real) return
    await store.append([stateEntry(KEY, [real, ...recent.filter((other) => other !== real)].slice(0, KEPT))])
  }
}

function pathIn(input: Json): string | undefined {
  const { file_path } = Object(input) as { readonly file_path?: unknown }
  return typeof file_path === 'string' ? file_path : undefined
}

/** What a fork reads, its conversation has not seen. Sub-agents have a conversation of their own. */
function isFork(source: Source): boolean {
  return source !== 'main' && !source.startsWith('agent:')
}
