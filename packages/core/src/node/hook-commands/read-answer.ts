import type { HookKind } from '../../contract/hooks.js'
import { gateVerdicts, hookKinds } from './hook-kinds.js'
import { type CommandOutput, OUTPUT_LIMIT } from './run-command.js'

/** What one command has said. */
export interface CommandAnswer {
  readonly note?: string
  readonly answer?: Readonly<Record<string, unknown>>
  /** It ran, but not as meant; changes nothing. */
  readonly warning?: string
}

type Fields = Readonly<Record<string, unknown>>

const NOTED_AS_TEXT: ReadonlySet<string> = new Set(['SessionStart', 'UserPromptSubmit'])
const NOTED_AT_2: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure'])

/** Reads exit code and output of a command for a hook. Throws where a gate's answer can not be understood. */
export function readAnswer(hook: string, kind: HookKind, { code, stdout, stderr }: CommandOutput): CommandAnswer {
  const reason = stderr.trim() || `exit code ${code} without a reason on stderr`
  if (code === 2) {
    if (kind === 'decide') return { answer: { verdict: verdictsOf(hook)[0], reason } }
    if (hook === 'PreCompact') return { answer: { veto: reason } }
    if (NOTED_AT_2.has(hook)) return { note: reason }
  }
  if (code !== 0) return { warning: `exit code ${code}: ${reason}` }
  const text = stdout.trim()
  if (text === '') return {}
  const fields = parse(text)
  if (fields) return readFields(hook, kind, fields)
  if (NOTED_AS_TEXT.has(hook)) return { note: stdout.length < OUTPUT_LIMIT ? text : `${text}\n[cut here]` }
  // Other text is talk, but a broken object was meant as an answer.
  if (!text.startsWith('{')) return {}
  const problem = stdout.length < OUTPUT_LIMIT ? 'is not valid JSON' : `is longer than ${OUTPUT_LIMIT} characters`
  if (kind === 'decide') throw new Error(`the answer ${problem}`)
  return { warning: `the answer ${problem}` }
}

function readFields(hook: string, kind: HookKind, fields: Fields): CommandAnswer {
  const { note, ...rest } = fields
  const specific = isFields(fields.hookSpecificOutput) ? fields.hookSpecificOutput : {}
  const text = [note, specific.additionalContext].find((value) => typeof value === 'string')
  const noted = typeof text === 'string' ? { note: text } : {}
  if (kind === 'decide') return { ...noted, ...readVerdict(hook, rest, specific) }
  const answer = kind === 'transform' ? pick(rest, ['value']) : readCollected(hook, rest)
  return Object.keys(answer).length > 0 ? { ...noted, answer } : noted
}

/** Also takes the `decision` and `permissionDecision` that scripts for other agents print: not to see a denial would open the gate. */
function readVerdict(hook: string, fields: Fields, specific: Fields): Pick<CommandAnswer, 'answer'> {
  const given = fields.verdict ?? specific.permissionDecision ?? fields.decision
  const verdicts = verdictsOf(hook)
  // Approval is no answer where a gate has no word for it.
  if (given === undefined || (given === 'approve' && !verdicts.includes('allow'))) return {}
  const verdict = given === 'block' ? verdicts[0] : given === 'approve' ? 'allow' : given
  if (!verdicts.includes(verdict as string)) {
    throw new Error(`the answer has the verdict ${JSON.stringify(given)}; ${hook} knows ${verdicts.join(', ')}`)
  }
  const reason = fields.reason ?? specific.permissionDecisionReason ?? ''
  return { answer: { verdict, reason: String(reason) } }
}

/** Of core's own hooks of this kind only PreCompact takes answers; those of other plugins take any object. */
function readCollected(hook: string, fields: Fields): Fields {
  if (!(hook in hookKinds)) return fields
  return hook === 'PreCompact' ? pick(fields, ['instructions', 'veto']) : {}
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
}

function verdictsOf(hook: string): readonly string[] {
  return gateVerdicts[hook] ?? ['deny', 'ask', 'allow']
}

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
