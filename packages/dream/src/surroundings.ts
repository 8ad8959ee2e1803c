import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { Folders } from './folders/memory-folder.js'
import type { Surroundings } from './rules/judge.js'

const INSTRUCTIONS = ['AGENTS.md', 'CLAUDE.md', 'NACRE.md', '.nacre/NACRE.md', '.claude/CLAUDE.md', 'GEMINI.md']

/** What the rules hold a new memory against: the repository, its instruction files, and what a person had forgotten. */
export async function readSurroundings(root: string, folders: Folders): Promise<Surroundings> {
  const texts = await Promise.all(INSTRUCTIONS.map((name) => readFile(join(root, name), 'utf8').catch(() => '')))
  const manifest = await readFile(join(root, 'package.json'), 'utf8').catch(() => '')
  const [person, project] = await Promise.all([folders.person.read(), folders.project.read()])
  return {
    instructions: texts.flatMap((text) => text.split('\n')).filter((line) => line.trim().length > 10),
    isInRepository(name) {
      if (/\s/.test(name)) return false
      return existsSync(isAbsolute(name) ? name : join(root, name)) || manifest.includes(`"${name}"`)
    },
    forgotten: {
      all: [...person.forgotten.all, ...project.forgotten.all],
      refuses: (memory) => person.forgotten.refuses(memory) ?? project.forgotten.refuses(memory),
    },
  }
}
