import { readFile, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { frontMatter } from './front-matter.js'
import type { Skill, SkillProblem } from './skill.js'

const MAX_BYTES = 1_000_000
const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N}_:-]|\.(?!\.)){0,63}$/u
const DESCRIPTION = 1_024

/** Reads a `SKILL.md`. Fields that are not known are left alone. */
export async function readSkill(file: string): Promise<Skill | SkillProblem> {
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
  return { name, description: shortened(description), folder: dirname(file), file, body, isForModel }
}

async function readSource(file: string): Promise<string | SkillProblem> {
  try {
    const stats = await stat(file)
    // To read a pipe would be to wait for somebody who writes into it.
    if (!stats.isFile()) return { file, line: 1, message: 'It can not be read: it is not a regular file' }
    if (stats.size > MAX_BYTES) return { file, line: 1, message: `It is larger than ${MAX_BYTES} bytes` }
    return await readFile(file, 'utf8')
  } catch (error) {
    return { file, line: 1, message: `It can not be read: ${(error as Error).message}` }
  }
}

function oneLine(field: unknown): string {
  return typeof field === 'string' || typeof field === 'number'
    ? wellFormed(String(field)).replace(/\s+/g, ' ').trim()
    : ''
}

function shortened(description: string): string {
  return description.slice(0, DESCRIPTION).replace(/\p{Cs}$/u, '')
}

/** YAML can write half of a character of two units, and a request with one is refused. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\uFFFD')
}

function firstWords(body: string): string {
  return oneLine(body.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')))
}
