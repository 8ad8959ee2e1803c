import { readdir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { readSkill } from './read-skill.js'
import type { Skill, SkillProblem } from './skill.js'

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
  if (isBelow(root, file)) return readSkill(file)
  return { file: named, line: 1, message: `It is a link out of ${root}, to ${file}` }
}

function isBelow(root: string, file: string): boolean {
  const [first] = relative(root, file).split(sep)
  return first !== '..' && first !== ''
}
