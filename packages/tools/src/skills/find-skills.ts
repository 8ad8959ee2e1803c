import { readdir, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { readSmallFile } from '@nacre/core/node'
import { LineCounter, parseDocument } from 'yaml'
import { foldersBetween, isWithin, managedFolder, projectRoot } from '../paths.js'
import { firstChars, wellFormed } from '../text.js'

/** A folder with a `SKILL.md`: instructions for a task, loaded when they are needed. */
export interface Skill {
  readonly name: string
  readonly description: string
  /** Where its other files are. Without links. */
  readonly folder: string
  readonly file: string
  /** The text of `SKILL.md` behind its front matter. */
  readonly body: string
  /** Whether the model may load it; a skill can say `disable-model-invocation: true`. */
  readonly isForModel: boolean
}

/** Why a skill was left out, and where to look. */
export interface SkillProblem {
  readonly file: string
  readonly line: number
  readonly message: string
}

/** The skills there are, by name, and what was left out. */
export interface FoundSkills {
  readonly skills: readonly Skill[]
  readonly problems: readonly SkillProblem[]
}

/** Looks into folders, the farthest first: of two skills with one name the nearest wins. Never rejects. */
export async function findSkills(folders: readonly string[]): Promise<FoundSkills> {
  const found = new Map<string, Skill>()
  const problems: SkillProblem[] = []
  const read = await Promise.all(folders.map(readFolder))
  for (const item of read.flat()) {
    if ('message' in item) {
      problems.push(item)
      continue
    }
    const other = found.get(item.name)
    if (other && other.file !== item.file) problems.push(hidden(other, item))
    found.set(item.name, item)
  }
  const skills = [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  return { skills, problems }
}

function hidden({ name, file }: Skill, nearer: Skill): SkillProblem {
  return { file, line: 1, message: `The skill '${name}' in ${nearer.file} is nearer and stands in for this one` }
}

async function readFolder(folder: string): Promise<readonly (Skill | SkillProblem)[]> {
  const root = await realpath(folder).catch(() => undefined)
  if (root === undefined) return []
  const names = await readdir(root).catch((): string[] => [])
  const read = await Promise.all(names.sort().map((name) => readBelow(root, name)))
  return read.filter((item) => item !== undefined)
}

async function readBelow(root: string, name: string): Promise<Skill | SkillProblem | undefined> {
  const named = join(root, name, 'SKILL.md')
  const file = await realpath(named).catch(() => undefined)
  if (file === undefined) return undefined
  if (file !== root && isWithin(root, file)) return readSkill(file)
  return { file: named, line: 1, message: `It is a link out of ${root}, to ${file}` }
}

/**
 * Where skills are looked for, the farthest first: managed, of the person, of the project from its root down to `cwd`.
 * Not above the project: what somebody else has put into /tmp, say, is not for sessions in folders below it.
 */
export function skillFolders(cwd: string, home = homedir()): readonly string[] {
  const folder = resolve(cwd)
  const project = foldersBetween(projectRoot(folder), folder).flatMap(both)
  return [...new Set([join(managedFolder(), 'skills'), ...both(home), ...project])]
}

/** Our own folder is nearer than the one that we share with others. */
function both(folder: string): string[] {
  return [join(folder, '.claude', 'skills'), join(folder, '.nacre', 'skills')]
}

const MAX_BYTES = 1_000_000
const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N}_:-]|\.(?!\.)){0,63}$/u
const MAX_DESCRIPTION = 1_024

/** Reads a `SKILL.md`. Fields that are not known are left alone. */
async function readSkill(file: string): Promise<Skill | SkillProblem> {
  const source = await readSource(file)
  if (typeof source !== 'string') return source
  const read = frontMatter(source)
  if ('message' in read) return { file, ...read }
  const { fields, body } = read
  const problem = (message: string) => ({ file, line: 1, message })
  const name = oneLine(fields.name) || basename(dirname(file))
  if (!NAME.test(name)) {
    return problem(`${JSON.stringify(name)} is not a name for a skill: letters, digits and any of - _ : . up to 64`)
  }
  const description = oneLine(fields.description) || firstWords(body)
  if (description === '') return problem('It has no description: the model could not tell when to use it')
  const isForModel = fields['disable-model-invocation'] !== true
  return { name, description: firstChars(description, MAX_DESCRIPTION), folder: dirname(file), file, body, isForModel }
}

async function readSource(file: string): Promise<string | SkillProblem> {
  try {
    const bytes = await readSmallFile(file, { most: MAX_BYTES })
    return bytes?.toString() ?? { file, line: 1, message: 'It can not be read: it is gone' }
  } catch (error) {
    return { file, line: 1, message: `It can not be read: ${(error as Error).message}` }
  }
}

/** Well formed, since YAML can write half of a character of two units. */
function oneLine(field: unknown): string {
  return typeof field === 'string' || typeof field === 'number'
    ? wellFormed(String(field)).replace(/\s+/g, ' ').trim()
    : ''
}

function firstWords(body: string): string {
  return oneLine(body.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')))
}

/** What stands between the two `---` lines, and the text behind them. */
interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>
  readonly body: string
}

interface FrontMatterProblem {
  readonly line: number
  readonly message: string
}

const FENCE = /^---[ \t]*$/
// Parsing takes the longer the more fields there are, by their square.
const MAX_CHARACTERS = 20_000

/** Reads the front matter of a Markdown file, or says in which line of the file it can not be read. */
function frontMatter(source: string): FrontMatter | FrontMatterProblem {
  const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const lines = text.split('\n')
  if (!FENCE.test(lines[0] ?? '')) return { line: 1, message: 'It does not begin with front matter: a line with ---' }
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line))
  if (end < 0) return { line: 1, message: 'Its front matter has no end: a second line with --- is missing' }
  const yaml = lines.slice(1, end).join('\n')
  if (yaml.length > MAX_CHARACTERS) {
    return { line: 1, message: `Its front matter is longer than ${MAX_CHARACTERS} characters` }
  }
  const fields = parsed(yaml)
  if ('message' in fields) return { line: fields.line + 1, message: fields.message }
  return {
    fields: fields.value,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  }
}

function parsed(yaml: string): { readonly value: Readonly<Record<string, unknown>> } | FrontMatterProblem {
  const lineCounter = new LineCounter()
  const document = parseDocument(yaml, { lineCounter, prettyErrors: true })
  const [error] = document.errors
  if (error)
    return {
      line: error.linePos?.[0].line ?? 1,
      message: `Its front matter is not YAML: ${error.message.split('\n')[0]}`,
    }
  try {
    const value: unknown = document.toJS()
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: { ...value } }
  } catch (error) {
    return { line: 1, message: `Its front matter can not be read: ${(error as Error).message}` }
  }
  return { line: 1, message: 'Its front matter is not a list of fields such as `name: value`' }
}
