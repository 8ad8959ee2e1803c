import { hashOf } from '../hash.js'

const LONGEST = 64
const HASH_LENGTH = 8

const LIKE_A_HASH = /_[0-9a-f]{8}$/

/**
 * The name of a server's tool or prompt for the model: `mcp__<server>__<tool>`. It depends on nothing but the two, and
 * two pairs never share one: where letters had to go, or could be read two ways, a hash of the pair stands at the end.
 */
export function toolName(server: string, tool: string): string {
  const name = `mcp__${plain(server)}__${plain(tool)}`
  const isExact = plain(server) === server && plain(tool) === tool && !/__|_$/.test(server) && !LIKE_A_HASH.test(tool)
  if (isExact && name.length <= LONGEST) return name
  const hash = hashOf(`${server}\0${tool}`, HASH_LENGTH)
  return `${name.slice(0, LONGEST - HASH_LENGTH - 1)}_${hash}`
}

function plain(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]/g, '_')
}

/** What can be searched. */
interface Searchable {
  readonly name: string
  readonly description: string
}

const SELECT = 'select:'
/** Words that fit every description. */
const EMPTY_WORDS = new Set(['a', 'an', 'and', 'for', 'in', 'of', 'on', 'or', 'the', 'to', 'with'])

/**
 * The tools that fit a query, best first. `select:a,b` takes tools by name. Otherwise words are looked for in names and
 * descriptions; a word with a plus before it has to be there. The same tools in another order give the same answer.
 */
export function rankTools<T extends Searchable>(tools: readonly T[], query: string, most: number): readonly T[] {
  const asked = query.trim()
  if (asked.toLowerCase().startsWith(SELECT)) return selected(tools, asked.slice(SELECT.length))
  const words = wordsOf(asked.replaceAll('+', ' '))
  const required = wordsOf([...asked.matchAll(/\+(\S+)/g)].map(([, word]) => word).join(' '))
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, words, required) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
    .slice(0, most)
    .map(({ tool }) => tool)
}

function selected<T extends Searchable>(tools: readonly T[], names: string): readonly T[] {
  const wanted = new Set(names.split(',').map((name) => name.trim().toLowerCase()))
  return tools.filter(({ name }) => wanted.has(name.toLowerCase())).sort((a, b) => (a.name < b.name ? -1 : 1))
}

const IN_NAME = { whole: 10, part: 5 }
const IN_DESCRIPTION = { whole: 3, part: 1 }

function scoreOf({ name, description }: Searchable, words: readonly string[], required: readonly string[]): number {
  const [named, described] = [wordsOf(name), wordsOf(description)]
  const score = (word: string) => weight(named, word, IN_NAME) + weight(described, word, IN_DESCRIPTION)
  if (required.some((word) => score(word) === 0)) return 0
  return words.reduce((sum, word) => sum + score(word), 0)
}

function weight(words: readonly string[], word: string, worth: { whole: number; part: number }): number {
  if (words.includes(word)) return worth.whole
  return words.some((each) => each.includes(word)) ? worth.part : 0
}

/** Also those inside of a name such as `createIssue` or `create_issue`. */
function wordsOf(text: string): readonly string[] {
  const apart = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return [...new Set(apart.split(/[^\p{L}\p{N}]+/u).filter((word) => word && !EMPTY_WORDS.has(word)))]
}
