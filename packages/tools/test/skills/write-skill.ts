import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes a skill into a folder of skills. */
export async function writeSkill(folder: string, name: string, text: string): Promise<string> {
  const file = join(folder, name, 'SKILL.md')
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(file, text)
  return file
}

/** The text of a skill with both fields. */
export function skillText(name: string, description: string, body = `Do as ${name} says.`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`
}
