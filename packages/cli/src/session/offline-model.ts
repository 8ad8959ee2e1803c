import type { Block, ModelTurn, OfflineJob, ReplyBlock, Simulator } from '@nacre/simulator'
import type { Settings } from '../settings/settings.js'

/** The server behind `--offline`: a Messages API on loopback that answers by rules. */
interface OfflineServer {
  /** Starts it with the first question for its address. */
  url(): Promise<string>
  close(): Promise<void>
}

/** Its models have the window that settings name, and it takes deletions by reference where settings say so. */
export function offlineServer({ contextWindow, cache }: Pick<Settings, 'cache' | 'contextWindow'>): OfflineServer {
  let started: Promise<Simulator> | undefined
  return {
    async url() {
      started ??= start(contextWindow, cache?.edits ?? false)
      return (await started).url
    },
    async close() {
      const simulator = await started?.catch(() => undefined)
      await simulator?.close()
    },
  }
}

async function start(window: number | undefined, takesEdits: boolean): Promise<Simulator> {
  const { MODELS, offline, startSimulator } = await import('@nacre/simulator')
  const models = window === undefined ? [] : MODELS.map(({ id }) => ({ id, like: id, window }))
  const details = { extensions: takesEdits ? (['cache-edits'] as const) : [] }
  return startSimulator({ model: offline({ jobs: offlineJobs }), models, details })
}

/** A job by the words that ask for it. */
interface OfflineTask {
  readonly name: string
  readonly tool: string
  /** As one would ask for it. */
  readonly example: string
  /** The input of the tool, or `undefined` where the words ask for something else. */
  read(prompt: string): Readonly<Record<string, string>> | undefined
}

/** What the offline model can do. The first that reads a prompt does it. */
const offlineTasks: readonly OfflineTask[] = [
  {
    name: 'run',
    tool: 'Bash',
    example: 'Run `npm test`',
    read: (prompt) => command(/^(?:please\s+)?(?:run|execute)\s+(?:the command\s+)?`([^`]+)`/i, prompt),
  },
  {
    name: 'write',
    tool: 'Write',
    example: 'Write "Hello" to hello.txt',
    read: (prompt) => {
      const [, content, file_path] =
        /^(?:please\s+)?(?:write|put)\s+["'`]([^"'`]*)["'`]\s+(?:in)?to\s+(?:the file\s+)?["'`]?([^\s"'`]+?)["'`]?[.!]?$/i.exec(
          prompt,
        ) ?? []
      return content !== undefined && file_path ? { file_path, content: `${content}\n` } : undefined
    },
  },
  {
    name: 'search',
    tool: 'Grep',
    example: 'Search for "TODO" in src',
    read: (prompt) => {
      const [, pattern] = /\b(?:search|grep|look)\s+(?:for\s+)?["'`]([^"'`]+)["'`]/i.exec(prompt) ?? []
      return pattern === undefined ? undefined : { pattern, output_mode: 'content', ...placeIn(prompt) }
    },
  },
  {
    name: 'read',
    tool: 'Read',
    example: 'Read package.json',
    read: (prompt) => {
      const [, file_path] =
        /\b(?:read|show|open|print)\s+(?:me\s+)?(?:the\s+)?(?:file\s+)?["'`]?([\w./@~-]*[\w@~-]\.\w+|[\w.@~-]*\/[\w./@~-]+|[A-Z][\w-]*file)["'`]?/i.exec(
          prompt,
        ) ?? []
      return file_path === undefined ? undefined : { file_path }
    },
  },
  {
    name: 'list',
    tool: 'Glob',
    example: 'List the files in src',
    read: (prompt) =>
      /\b(?:list|which|what|show)\b.*\bfiles?\b/i.test(prompt) ? { pattern: '**/*', ...placeIn(prompt) } : undefined,
  },
]

const PLACE =
  /\b(?:in|of|under|below)\s+(?:the\s+)?(?:folder\s+|directory\s+)?["'`]?([\w./@~-]*[\w/@~-])["'`]?\s*[.?!]?$/i
const HERE = new Set(['here', 'this', 'folder', 'directory', 'project', 'repository', 'it'])

function command(pattern: RegExp, prompt: string): Readonly<Record<string, string>> | undefined {
  const [, found] = pattern.exec(prompt) ?? []
  return found === undefined ? undefined : { command: found }
}

function placeIn(prompt: string): { readonly path?: string } {
  const path = PLACE.exec(prompt)?.[1]
  return path === undefined || HERE.has(path.toLowerCase()) ? {} : { path }
}

/** Said with each answer, so that nobody takes rules for a language model. */
const PLAINLY = 'This is the offline model: no language model answers, only rules.'
const KNOWN = `It knows these jobs:\n${offlineTasks.map(({ example }) => `- ${example}`).join('\n')}`

/** The jobs that the offline model can really do, with the tools of the session. */
const offlineJobs: readonly OfflineJob[] = [
  { name: 'report', recognises: (turn) => isMain(turn) && resultIn(turn) !== undefined, answer: report },
  ...offlineTasks.map(
    ({ name, tool, read }): OfflineJob => ({
      name,
      recognises: (turn) => isMain(turn) && read(promptOf(turn)) !== undefined,
      answer: (turn): readonly ReplyBlock[] => {
        const input = read(promptOf(turn))
        const isThere = turn.tools.some((each) => each.name === tool)
        if (input === undefined || !isThere) return [`${PLAINLY} It has no tool ${tool} here.`]
        return [{ type: 'tool_use', name: tool, input }]
      },
    }),
  ),
  { name: 'introduce', recognises: isMain, answer: (turn) => introduce(turn) },
]

/** Summaries and notes are made by rules of their own. */
function isMain({ source, purpose, messages }: ModelTurn): boolean {
  const last = textsOf(messages.at(-1)?.content ?? []).at(-1) ?? ''
  return source === 'main' && purpose === 'message' && !/<summary>/.test(last)
}

function report(turn: ModelTurn): string {
  const { text = '', isError } = resultIn(turn) ?? {}
  if (isError) return `${PLAINLY} The tool failed:\n\n${shortened(text)}`
  return `${text.trim() === '' ? '(nothing)' : shortened(text)}\n\n${PLAINLY} What stands above is what the tool gave.`
}

/** Nobody reads more than that of an answer. */
const MOST = 4_000

function shortened(text: string): string {
  if (text.length <= MOST) return text
  const end = text.lastIndexOf('\n', MOST)
  return `${text.slice(0, end > 0 ? end : MOST)}\n… ${text.length - MOST} more characters`
}

function introduce(turn: ModelTurn): string {
  const asked = promptOf(turn)
  const what = asked === '' ? '' : ` It knows no job that fits "${asked.slice(0, 80)}".`
  return `${PLAINLY}${what} ${KNOWN}\nWith ANTHROPIC_API_KEY set and without --offline, a model answers.`
}

/** What the person said last, without what the runtime has put beside it. */
function promptOf({ messages }: ModelTurn): string {
  const last = messages.findLast(({ role }) => role === 'user')
  return (
    textsOf(last?.content ?? [])
      .find((text) => !text.startsWith('<'))
      ?.trim() ?? ''
  )
}

/** The result that the last message brings, where it brings one. */
function resultIn({ messages }: ModelTurn): { readonly text: string; readonly isError: boolean } | undefined {
  const last = messages.findLast(({ role }) => role === 'user')
  const result = last?.content.find(({ type }) => type === 'tool_result')
  if (!result) return undefined
  const { content } = result
  const text = typeof content === 'string' ? content : textsOf((content ?? []) as readonly Block[]).join('\n')
  return { text, isError: result.is_error === true }
}

function textsOf(content: readonly Block[]): readonly string[] {
  return content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : []))
}
