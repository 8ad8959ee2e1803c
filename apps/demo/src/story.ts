import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scenario } from '@nacre/simulator'

/** The work that every run of the demo does: read the project file by file, then say where the bug is. */
export const PROMPT = 'A login fails after midnight. Read the project and find the bug.'

const MODULES = [
  'routes',
  'session',
  'clock',
  'store',
  'tokens',
  'mail',
  'audit',
  'limits',
  'users',
  'config',
  'crypto',
  'main',
]
const FUNCTIONS = 40

export const CALLS = MODULES.length

export const story: Scenario = {
  name: 'midnight',
  prompt: /find the bug/,
  steps: [
    ...MODULES.map((name) => ({
      content: [
        {
          type: 'thinking',
          thinking: `The cause may be in ${name}. I have to see how it handles the date before I rule it out.`,
        },
        { type: 'tool_use', name: 'read_file', input: { path: `${name}.ts` } },
      ],
    })),
    ({ results }) =>
      `I read ${CALLS} files; the last has ${results.join('').split('\n').length} lines. clock.ts compares days, not moments.`,
  ],
}

/** Writes the project that the agent reads. The files are real, and so is the reading. */
export async function writeProject(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const name of MODULES) await writeFile(join(folder, `${name}.ts`), moduleText(name))
}

export function readProjectFile(folder: string, path: string): Promise<string> {
  return readFile(join(folder, path), 'utf8')
}

function moduleText(name: string): string {
  const functions = Array.from({ length: FUNCTIONS }, (_, index) =>
    [
      `/** Step ${index} of ${name}: keeps what the step before it found. */`,
      `export function ${name}${index}(day: number, seen: readonly string[]): number {`,
      `  if (seen.length > ${index * 3}) return day - ${index}`,
      `  return seen.filter((id) => id.startsWith('${name}-${index}')).length + day`,
      '}',
    ].join('\n'),
  )
  return `${functions.join('\n\n')}\n`
}
