import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { readSmallFile } from '@nacre/core/node'
import type { AgentType, DefinitionProblem, FoundTypes } from './agent-type.js'
import { builtInTypes } from './built-in.js'
import { type ReadDefinition, readDefinition } from './read-definition.js'

export type { FoundTypes } from './agent-type.js'

/** Where files with definitions may lie. */
export interface DefinitionPlaces {
  /** The home of the person. */
  readonly home?: string
  /** The folder of the project; given only where it is trusted. */
  readonly project?: string
}

/**
 * The types there are: those built in, of the person, and of the project. The nearest of one name wins, and of two in
 * one place that of Nacre's own folder. One that was refused hides no other. Never rejects.
 */
export async function findAgentTypes({ home, project }: DefinitionPlaces): Promise<FoundTypes> {
  const found = new Map<string, AgentType>(builtInTypes.map((type) => [type.name, type]))
  const problems: DefinitionProblem[] = []
  for (const folder of [home, project].flatMap(both)) {
    for (const { type, problems: told } of await readFolder(folder)) {
      problems.push(...told)
      if (type === undefined) continue
      const other = found.get(type.name)
      if (other?.file !== undefined && other.file !== type.file) problems.push(hidden(other.name, other.file, type))
      found.set(type.name, type)
    }
  }
  const types = new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)))
  return { types, problems }
}

/** Our own folder is nearer than the one that we share with others. */
function both(folder: string | undefined): string[] {
  if (folder === undefined) return []
  return [join(folder, '.claude', 'agents'), join(folder, '.nacre', 'agents')]
}

function hidden(name: string, file: string, nearer: AgentType): DefinitionProblem {
  const message = `The agent type '${name}' in ${nearer.file} is nearer and stands in for this one`
  return { file, line: 1, message, isRefused: false }
}

async function readFolder(folder: string): Promise<readonly ReadDefinition[]> {
  const root = await realpath(folder).catch(() => undefined)
  if (root === undefined) return []
  const { files, problems } = await walk(root)
  const read: ReadDefinition[] = [{ problems }]
  // One after the other: a folder of a thousand files would need as many open ones.
  for (const file of files) read.push(await readFileOf(root, file))
  return read
}

const MAX_ENTRIES = 2_000

/** The Markdown files below a folder by their path. Folders that are links are not entered, so the walk has an end. */
async function walk(root: string): Promise<{ readonly files: string[]; readonly problems: DefinitionProblem[] }> {
  const files: string[] = []
  const problems: DefinitionProblem[] = []
  const folders = [root]
  let count = 0
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => [])
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (++count > MAX_ENTRIES) {
        const message = `There are more than ${MAX_ENTRIES} files and folders here, so some were not looked at`
        return { files: files.sort(), problems: [...problems, problem(root, message)] }
      }
      if (entry.isDirectory()) folders.push(path)
      else if (entry.name.toLowerCase().endsWith('.md')) files.push(path)
      else if (entry.isSymbolicLink()) problems.push(...(await linkedFolder(root, path)))
    }
  }
  return { files: files.sort(), problems }
}

/** A link to a folder in here needs no second look; one that leads out is told, or its agents would be missed. */
async function linkedFolder(root: string, path: string): Promise<readonly DefinitionProblem[]> {
  const target = await realpath(path).catch(() => undefined)
  if (target === undefined || isWithin(root, target)) return []
  const isFolder = await stat(target).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  return isFolder ? [linkOut(root, path, target)] : []
}

const MAX_BYTES = 256 * 1024

async function readFileOf(root: string, path: string): Promise<ReadDefinition> {
  try {
    const file = await realpath(path)
    if (!isWithin(root, file)) return { problems: [linkOut(root, path, file)] }
    const bytes = await readSmallFile(file, { most: MAX_BYTES })
    return bytes ? readDefinition(file, bytes.toString()) : refused(path, 'It can not be read: it is gone')
  } catch (error) {
    return refused(path, `It can not be read: ${(error as Error).message}`)
  }
}

function linkOut(root: string, path: string, target: string): DefinitionProblem {
  return problem(path, `It is a link out of ${root}, to ${target}`)
}

function refused(file: string, message: string): ReadDefinition {
  return { problems: [problem(file, message)] }
}

function problem(file: string, message: string): DefinitionProblem {
  return { file, line: 1, message, isRefused: true }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
