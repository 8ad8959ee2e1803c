/** A job by the words that ask for it. */
export interface OfflineTask {
  readonly name: string
  readonly tool: string
  /** As one would ask for it. */
  readonly example: string
  /** The input of the tool, or `undefined` where the words ask for something else. */
  read(prompt: string): Readonly<Record<string, string>> | undefined
}

const PLACE =
  /\b(?:in|of|under|below)\s+(?:the\s+)?(?:folder\s+|directory\s+)?["'`]?([\w./@~-]*[\w/@~-])["'`]?\s*[.?!]?$/i
const HERE = new Set(['here', 'this', 'folder', 'directory', 'project', 'repository', 'it'])

/** What the offline model can do. The first that reads a prompt does it. */
export const offlineTasks: readonly OfflineTask[] = [
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

function command(pattern: RegExp, prompt: string): Readonly<Record<string, string>> | undefined {
  const [, found] = pattern.exec(prompt) ?? []
  return found === undefined ? undefined : { command: found }
}

function placeIn(prompt: string): { readonly path?: string } {
  const path = PLACE.exec(prompt)?.[1]
  return path === undefined || HERE.has(path.toLowerCase()) ? {} : { path }
}
