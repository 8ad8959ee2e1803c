import { basename } from 'node:path'
import type { AgentType, DefinitionProblem } from './agent-type.js'
import { type FieldName, fieldName, mayNarrow } from './field-names.js'
import { type Field, frontMatter } from './front-matter.js'

/** What became of a file: a type unless it was refused, and what there is to tell of it. */
export interface ReadDefinition {
  readonly type?: AgentType
  readonly problems: readonly DefinitionProblem[]
}

/** A field that can't be kept: `refused` where an agent without it could do more than its author wanted. */
interface Objection {
  readonly message: string
  readonly isRefused: boolean
}

/** What a field says of the type; nothing where it is the customary. */
type Meaning = Partial<AgentType> | Objection

/** Reads the text of a definition. Fields that only add something are left aside, those that narrow must be understood. */
export function readDefinition(file: string, source: string): ReadDefinition {
  const problems: DefinitionProblem[] = []
  const tell = (line: number, { message, isRefused }: Objection) => problems.push({ file, line, message, isRefused })
  const read = frontMatter(source)
  if ('message' in read) return { problems: [{ file, ...read, isRefused: true }] }
  const { fields, body: prompt } = read
  const { known, unknown } = sorted(fields, tell)
  if (unknown.length > 0) tell(unknown[0]?.line ?? 1, unknownFields(unknown))

  let parts: Partial<AgentType> = {}
  for (const [name, field] of known) {
    const meaning = READERS[name](field.value)
    if ('message' in meaning) tell(field.line, meaning)
    else parts = { ...parts, ...meaning }
  }
  const { name = basename(file).replace(/\.md$/i, ''), description = firstSentence(prompt), ...rest } = parts
  if (!NAME.test(name)) tell(known.get('name')?.line ?? 1, notAName(name))
  if (description === '') tell(1, refusal('It has no description: add one that says when to use it'))
  else if (!parts.description) tell(1, told('It has no description, so its first sentence stands in for it'))
  if (prompt === '') tell(1, told('It has no text behind the front matter, so this agent has no prompt of its own'))
  const isRefused = problems.some((problem) => problem.isRefused)
  return { ...(!isRefused && { type: { name, description, prompt, ...rest, file } }), problems }
}

const NAME = /^[A-Za-z0-9][\w:. -]{0,63}$/

/** Known fields by their name, and the others that do no harm. Tells of those that do. */
function sorted(fields: readonly Field[], tell: (line: number, objection: Objection) => void) {
  const known = new Map<FieldName, Field>()
  const unknown: Field[] = []
  for (const field of fields) {
    const name = fieldName(field.name)
    if (name === undefined && mayNarrow(field.name)) tell(field.line, narrowing(field.name))
    else if (name === undefined) unknown.push(field)
    else if (known.has(name)) tell(field.line, refusal(`${name} is there twice: take one of them out`))
    else known.set(name, field)
  }
  return { known, unknown }
}

function narrowing(name: string): Objection {
  return refusal(
    `${shown(name)} may limit what the agent can do, and is not understood here. Say it with tools, disallowedTools, ` +
      'permissionMode, maxTurns or deadline, or take it out',
  )
}

function unknownFields(fields: readonly Field[]): Objection {
  const names = [...new Set(fields.map(({ name }) => shown(name)))]
  return told(`Not known here, and left aside: ${names.join(', ')}`)
}

const READERS: Readonly<Record<FieldName, (value: unknown) => Meaning>> = {
  name: readName,
  description: readDescription,
  tools: readTools,
  disallowedTools: readWithoutTools,
  model: readModel,
  memory: readMemory,
  maxTurns: readMaxTurns,
  deadline: readDeadline,
  background: readBackground,
  isolation: readIsolation,
  permissionMode: readPermissionMode,
  color: () => ({}),
}

function readName(value: unknown): Meaning {
  const name = text(value)
  if (name === undefined) return notAName(value)
  return name === '' ? {} : { name }
}

function notAName(value: unknown): Objection {
  return refusal(`${shown(value)} is not a name: a letter or digit, then letters, digits and any of _ : . - up to 64`)
}

function readDescription(value: unknown): Meaning {
  const description = text(value)
  if (description === undefined) return told('description is not a text and left aside')
  // Many write the escapes of a quoted text without the quotes.
  const line = oneLine(description.replaceAll('\\n', '\n'))
  return line === '' ? {} : { description: line }
}

function readTools(value: unknown): Meaning {
  const tools = toolNames('tools', value)
  if ('message' in tools) return tools
  return tools.includes('*') ? {} : { tools }
}

function readWithoutTools(value: unknown): Meaning {
  const withoutTools = toolNames('disallowedTools', value)
  if ('message' in withoutTools) return withoutTools
  return withoutTools.length === 0 ? {} : { withoutTools }
}

const TOOL = /^[\w.:*-]{1,128}$/

/** Names out of a list, or out of a text with commas. Without a value there are none. */
function toolNames(field: string, value: unknown): readonly string[] | Objection {
  const written = text(value)
  const items: readonly unknown[] | undefined = Array.isArray(value) ? value : written?.split(',')
  if (items === undefined) return refusal(`${field} is neither a text nor a list`)
  // First of all: a comma may stand in the brackets too.
  const narrowed = items.find((item) => /[()]/.test(text(item) ?? ''))
  if (narrowed !== undefined) {
    return refusal(
      `${field} has ${shown(text(narrowed))}: what stands in brackets narrows a tool, and can't be kept. ` +
        'Name whole tools, and put the rest into the rules for permissions',
    )
  }
  const names = items.map((item) => text(item) ?? '').filter((name) => name !== '' || Array.isArray(value))
  const wrong = names.findIndex((name) => !TOOL.test(name))
  if (wrong < 0) return [...new Set(names)]
  return refusal(`${field} has ${shown(names[wrong])}, which is not the name of a tool. Separate names by commas`)
}

function readModel(value: unknown): Meaning {
  if (value === null || value === '') return {}
  if (typeof value !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(value.trim())) {
    return refusal(`model is ${shown(value)}: write inherit, an alias such as sonnet, or the id of a model`)
  }
  const model = value.trim()
  return model.toLowerCase() === 'inherit' ? {} : { model }
}

function readMemory(value: unknown): Meaning {
  if (value === 'user' || value === 'project' || value === 'local') return { memory: value }
  return told(`memory is ${shown(value)} and left aside: it can be user, project or local`)
}

function readMaxTurns(value: unknown): Meaning {
  const written = text(value) ?? ''
  const maxTurns = /^\d+$/.test(written) ? Number(written) : 0
  if (Number.isSafeInteger(maxTurns) && maxTurns > 0) return { maxTurns }
  return refusal(`maxTurns is ${shown(value)}: it has to be a whole number from 1`)
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }
/** What a timer can wait for; a longer one would go off at once. */
const MAX_DEADLINE = 2 ** 31 - 1

function readDeadline(value: unknown): Meaning {
  const [, number = '0', unit = 's'] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(text(value) ?? '') ?? []
  const deadline = Math.round(Number(number) * (UNITS[unit] ?? 0))
  if (deadline > 0 && deadline <= MAX_DEADLINE) return { deadline }
  return refusal(`deadline is ${shown(value)}: it has to be seconds, or a time such as 90s, 10m or 1h, up to 24 days`)
}

function readBackground(value: unknown): Meaning {
  const written = text(value)
  if (value === true || written === 'true') return { isBackground: true }
  if (value === false || value === null || written === 'false') return {}
  return told(`background is ${shown(value)} and left aside: it can be true or false`)
}

function readIsolation(value: unknown): Meaning {
  if (value === 'worktree') return { worktree: true }
  return refusal(`isolation is ${shown(value)}: it can only be worktree`)
}

function readPermissionMode(value: unknown): Meaning {
  if (value === 'default') return {}
  if (value === 'plan') return { isReadOnly: true }
  if (value === 'dontAsk') return { neverAsks: true }
  if (value === 'acceptEdits' || value === 'bypassPermissions') {
    return told(`permissionMode ${value} is left aside: a definition can't give itself more than its session may`)
  }
  return refusal(`permissionMode is ${shown(value)}: it can be default, plan or dontAsk`)
}

const SENTENCE = 300

/** The first sentence that is no title. */
function firstSentence(body: string): string {
  const line = oneLine(body.split('\n').find((each) => each.trim() !== '' && !/^\s*(#|[-=*_]+\s*$)/.test(each)) ?? '')
  const [sentence = ''] = /^.*?[.!?](?=\s|$)/.exec(line) ?? [line]
  return sentence.slice(0, SENTENCE).replace(/[\ud800-\udbff]$/, '')
}

/** One line that can be shown: YAML can write halves of characters, and what moves the cursor of a terminal. */
function oneLine(written: string): string {
  return written
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** A value as text; a field without value is an empty one. */
function text(value: unknown): string | undefined {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined
}

function shown(value: unknown): string {
  const written = oneLine(JSON.stringify(value) ?? 'nothing')
  return written.length > 80 ? `${written.slice(0, 80).replace(/[\ud800-\udbff]$/, '')}…` : written
}

function refusal(message: string): Objection {
  return { message, isRefused: true }
}

function told(message: string): Objection {
  return { message, isRefused: false }
}
