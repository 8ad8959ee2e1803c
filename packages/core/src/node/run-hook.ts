import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { messageOf, NacreError, shown } from '../errors.js'
import { checkShape } from '../hooks/read-answer.js'
import { gateVerdicts, type HookContext, type HookKind, hookKinds } from '../types/hooks.js'
import type { ToolCall } from '../types/tool.js'

type Said = CommandAnswer & { readonly error?: NacreError }

interface CommandRound {
  readonly hook: string
  readonly kind: HookKind
  readonly event: object
  readonly context: HookContext
  /** One for each command that is asked. Rejects only after an abort. */
  readonly ask: readonly ((event: object) => Promise<Said>)[]
  warn(text: string, index: number): void
}

/** Asks all commands of a hook and makes one answer of theirs. Only a gate throws: what fails elsewhere is a warning. */
export function answerEvent(round: CommandRound): Promise<unknown> {
  if (round.kind === 'transform') return transform(round)
  return round.kind === 'decide' ? decide(round) : collect(round)
}

async function collect(round: CommandRound): Promise<unknown> {
  const all = await askAll(round)
  for (const [index, { error }] of all.entries()) if (error) round.warn(error.message, index)
  const merged: Record<string, unknown> = {}
  for (const { answer = {} } of all) {
    for (const [field, value] of Object.entries(answer)) {
      const before = merged[field]
      merged[field] = typeof before === 'string' && typeof value === 'string' ? `${before}\n\n${value}` : value
    }
  }
  return Object.keys(merged).length > 0 ? merged : undefined
}

/** One after the other: each gets what the one before it made. */
async function transform(round: CommandRound): Promise<unknown> {
  const { event, ask, warn } = round
  const given = (event as { readonly value: unknown }).value
  let value = given
  for (const [index, one] of ask.entries()) {
    const said = await one({ ...event, value })
    takeNote(round, said, index)
    if (said.error) warn(said.error.message, index)
    if (!said.answer) continue
    try {
      checkShape(value, said.answer.value)
      value = said.answer.value
    } catch (error) {
      warn(messageOf(error), index)
    }
  }
  return value === given ? undefined : value
}

/** A command that failed closes the gate, unless another has already closed it with a reason. */
async function decide(round: CommandRound): Promise<unknown> {
  const all = await askAll(round)
  const verdicts = verdictsOf(round.hook)
  const ranked = all
    .flatMap(({ answer }) => (answer ? [answer] : []))
    .sort((a, b) => verdicts.indexOf(a.verdict as string) - verdicts.indexOf(b.verdict as string))
  const strictest = ranked[0]
  const isClosed = strictest?.verdict === verdicts[0]
  for (const [index, { error }] of all.entries()) {
    if (error && !isClosed) throw error
    if (error) round.warn(error.message, index)
  }
  return strictest
}

async function askAll(round: CommandRound): Promise<readonly Said[]> {
  const all = await Promise.all(round.ask.map((one) => one(round.event)))
  for (const [index, said] of all.entries()) takeNote(round, said, index)
  return all
}

function takeNote({ context, warn }: CommandRound, { note, warning }: Said, index: number): void {
  if (note !== undefined) context.note({ text: note, trust: 'content' })
  if (warning !== undefined) warn(warning, index)
}

/** What one command has said. */
interface CommandAnswer {
  readonly note?: string
  readonly answer?: Readonly<Record<string, unknown>>
  /** It ran, but not as meant; changes nothing. */
  readonly warning?: string
}

type Fields = Readonly<Record<string, unknown>>

const NOTED_AS_TEXT: ReadonlySet<string> = new Set(['SessionStart', 'UserPromptSubmit'])
/** Where a call is judged: all that is printed has to be an answer. At other gates a script may talk. */
const CALL_GATES: ReadonlySet<string> = new Set(['PreToolUse', 'PermissionRequest'])
const NOTED_AT_2: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure'])

/** Reads exit code and output of a command for a hook. Throws where a gate's answer can not be understood. */
export function readAnswer(hook: string, kind: HookKind, { code, stdout, stderr }: CommandOutput): CommandAnswer {
  const reason = stderr.trim() || `exit code ${code} without a reason on stderr`
  if (code === 2) {
    if (kind === 'decide') return { answer: { verdict: verdictsOf(hook)[0], reason } }
    if (hook === 'PreCompact') return { answer: { veto: reason } }
    if (NOTED_AT_2.has(hook)) return { note: reason }
  }
  const failure = failureOf(code)
  // Whoever stands at the gate was never there, or did not get to the end of what it had to say.
  if (kind === 'decide' && failure !== undefined) throw new Error(`${failure}: ${reason}`)
  if (code !== 0) return { warning: `exit code ${code}: ${reason}` }
  const text = stdout.trim()
  if (text === '') return {}
  const value = parse(text)
  if (isFields(value)) return readFields(hook, kind, value)
  const isBroken = value === undefined && text.startsWith('{')
  const problem = stdout.length < OUTPUT_LIMIT ? 'is not valid JSON' : `is longer than ${OUTPUT_LIMIT} characters`
  if (kind === 'decide' && isBroken) throw new Error(`the answer ${problem}`)
  if (kind === 'decide' && (value !== undefined || CALL_GATES.has(hook))) {
    throw new Error(
      `it printed ${shown(value === undefined ? text : value)}, which is no answer. Print an object of JSON or nothing; talk belongs on stderr`,
    )
  }
  if (NOTED_AS_TEXT.has(hook)) return { note: stdout.length < OUTPUT_LIMIT ? text : `${text}\n[cut here]` }
  // Other text is talk, but a broken object was meant as an answer.
  return isBroken ? { warning: `the answer ${problem}` } : {}
}

/** What a shell tells by its exit code of a command that did not run, or not to its end. */
function failureOf(code: number): string | undefined {
  if (code === 126) return 'exit code 126: the program could not be run'
  if (code === 127) return 'exit code 127: the program was not found'
  // The shell adds 128 to the number of the signal that has ended what it ran.
  return code > 128 && code <= 128 + 64 ? `exit code ${code}: ended by signal ${code - 128}` : undefined
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
  if (given === undefined) {
    checkWithoutVerdict(hook, fields)
    return {}
  }
  // Approval is no answer where a gate has no word for it.
  if (given === 'approve' && !verdicts.includes('allow')) return {}
  const verdict = given === 'block' ? verdicts[0] : given === 'approve' ? 'allow' : given
  if (!verdicts.includes(verdict as string)) {
    throw new Error(`the answer has the verdict ${JSON.stringify(given)}; ${hook} knows ${verdicts.join(', ')}`)
  }
  const reason = fields.reason ?? specific.permissionDecisionReason ?? ''
  return { answer: { verdict, reason: String(reason) } }
}

/** What an answer may say beside a verdict, here or for other agents. */
const BESIDE_VERDICTS: ReadonlySet<string> = new Set(['hookSpecificOutput', 'suppressOutput', 'systemMessage'])

/** An answer without a verdict says nothing only if it has nothing in it that may have been meant as one. */
function checkWithoutVerdict(hook: string, fields: Fields): void {
  const other = Object.entries(fields).find(
    ([name, value]) => !BESIDE_VERDICTS.has(name) && !(name === 'continue' && value === true),
  )
  if (!other) return
  const known = verdictsOf(hook).join(', ')
  throw new Error(`the answer has no verdict, but ${other[0]}: ${shown(other[1])}. Give "verdict": ${known}`)
}

/** Of core's own hooks of this kind only PreCompact takes answers; those of other plugins take any object. */
function readCollected(hook: string, fields: Fields): Fields {
  if (!(hook in hookKinds)) return fields
  return hook === 'PreCompact' ? pick(fields, ['instructions', 'veto', 'message']) : {}
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
}

function verdictsOf(hook: string): readonly string[] {
  return (gateVerdicts as Readonly<Record<string, readonly string[]>>)[hook] ?? ['deny', 'ask', 'allow']
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The tool call that an event is about, if it is about one. */
export function callOf(hook: string, event: object): ToolCall | undefined {
  const { call, value } = event as { readonly call?: ToolCall; readonly value?: ToolCall }
  return hook === 'PrepareToolUse' ? value : call
}

/** What a command gets on its standard input. The event's own fields are as plugins see them. */
export function hookInput(hook: string, event: object, context: HookContext, cwd: string): string {
  const call = callOf(hook, event)
  const input = {
    session_id: context.sessionId,
    session_source: context.source,
    cwd,
    ...(call && { tool_name: call.name, tool_input: call.input }),
    ...event,
    hook_event_name: hook,
  }
  return JSON.stringify(input, withoutMachinery)
}

/** A view is the whole conversation and a tool is mostly functions: a command gets what tells them apart. */
function withoutMachinery(key: string, value: unknown): unknown {
  if (value instanceof Error) return { name: value.name, message: value.message }
  if (key === 'view' && isObject(value) && 'rounds' in value) return { version: value.version, tokens: value.tokens }
  if (key === 'tool' && isObject(value) && 'run' in value) return { name: value.name, description: value.description }
  return value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

interface CommandOutput {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface CommandRun {
  readonly command: string
  readonly input: string
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** Characters kept of each stream. The rest is read and dropped, so that the command never waits for a reader. */
const OUTPUT_LIMIT = 50_000

const isWindows = process.platform === 'win32'

/** Groups of their own would outlive a program that ends without aborting them. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) killGroup(child)
})

/** Runs a command in a shell and in a process group of its own, which an abort kills whole. Rejects if it never ended by itself. */
export async function runCommand({ command, input, cwd, environment, signal }: CommandRun): Promise<CommandOutput> {
  signal.throwIfAborted()
  const child = spawn(command, { shell: true, cwd, env: { ...environment }, detached: !isWindows, windowsHide: true })
  running.add(child)
  const stdout = keepText(child.stdout)
  const stderr = keepText(child.stderr)
  // A command need not read its input; EPIPE is then no failure.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  let onAbort = () => {}
  try {
    return await new Promise<CommandOutput>((resolve, reject) => {
      onAbort = () => {
        killGroup(child)
        // What left the group may still hold the streams; nobody waits for it.
        child.stdout.destroy()
        child.stderr.destroy()
        reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort)
      child.on('error', (cause) => {
        reject(new NacreError('HOOK_FAILED', `'${command}' could not be started: ${cause.message}`, { cause }))
      })
      child.on('close', (code, by) => {
        if (code === null) reject(new NacreError('HOOK_FAILED', `'${command}' was ended by ${by}`))
        else resolve({ code, stdout: stdout(), stderr: stderr() })
      })
    })
  } finally {
    signal.removeEventListener('abort', onAbort)
    running.delete(child)
  }
}

function keepText(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    if (text.length < OUTPUT_LIMIT) text = (text + chunk).slice(0, OUTPUT_LIMIT)
  })
  return () => text
}

function killGroup(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined) return
  if (isWindows) {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }).on('error', () => child.kill())
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended by itself.
  }
}
