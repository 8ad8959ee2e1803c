import { resolve } from 'node:path'
import { CommanderError } from 'commander'
import { mergeSettings, type Settings } from '../settings/settings.js'
import { EXIT, type Terminal } from '../terminal/terminal.js'

export type OutputFormat = 'text' | 'json' | 'stream-json'

/** What the command line asks for, checked; a session is opened by it. */
export interface RunOptions {
  /** `-p`: answer and end. Without it the program is interactive. */
  readonly print?: string | true
  readonly output: OutputFormat
  readonly input: 'text' | 'stream-json'
  readonly limits: { readonly maxTurns?: number; readonly maxBudgetUsd?: number }
  readonly open: OpenChoice
  /** Goes on with system prompt and tools as they are now. */
  readonly takeUp?: true
  readonly isOffline: boolean
  /** Settings of the command line: they come after all files. */
  readonly overrides: Settings
  /** A prompt to begin an interactive session with. */
  readonly prompt?: string
}

/** Which session to open. `text`: looked for among the titles. */
export type OpenChoice =
  | { readonly kind: 'new'; readonly id?: string }
  | { readonly kind: 'continue'; readonly fork: boolean }
  | { readonly kind: 'resume'; readonly text?: string; readonly fork: boolean }

/** What commander reads from the command line, before it is checked as a whole. */
export interface RunFlags {
  readonly print?: string | true
  readonly outputFormat?: OutputFormat
  readonly inputFormat?: 'text' | 'stream-json'
  readonly maxTurns?: number
  readonly maxBudget?: number
  readonly agentsWait?: number
  readonly allowedTools?: readonly string[]
  readonly disallowedTools?: readonly string[]
  readonly permissionMode?: 'default' | 'acceptEdits' | 'plan' | 'bypassPermissions'
  readonly model?: string
  readonly continue?: true
  readonly resume?: string | true
  readonly forkSession?: true
  readonly takeUp?: true
  readonly sessionId?: string
  readonly offline?: true
  readonly flags?: Readonly<Record<string, boolean>>
  readonly addDir?: readonly string[]
  readonly settings?: string
}

/** The options of a run, with the file that `--settings` names. */
export async function readOptions(
  { cwd }: Pick<Terminal, 'cwd'>,
  flags: RunFlags,
  argument: string | undefined,
): Promise<RunOptions> {
  checkTogether(flags, argument)
  const fromFile = flags.settings === undefined ? undefined : await readNamedSettings(resolve(cwd, flags.settings))
  return toRunOptions(flags, argument, fromFile)
}

/** Whoever names a file on the command line has it checked as their own. */
async function readNamedSettings(path: string): Promise<Settings> {
  const { readSettingsFile } = await import('../settings/load-settings.js')
  const read = await readSettingsFile({ level: 'user', path })
  if (!read) throw usageError(`--settings: there is no file ${path}.`)
  return read.settings
}

type Rule = readonly [isBroken: (flags: RunFlags, argument: string | undefined) => boolean, message: string]

const isStream = ({ inputFormat }: RunFlags) => inputFormat === 'stream-json'

const RULES: readonly Rule[] = [
  [
    ({ print }, argument) => typeof print === 'string' && argument !== undefined,
    'There are two prompts, one after --print and one more. Put quotation marks around a prompt of several words.',
  ],
  [
    (flags) => flags.continue === true && flags.resume !== undefined,
    '--continue and --resume exclude each other: --continue is the latest session, --resume one that you name.',
  ],
  [
    ({ sessionId, resume, ...flags }) => sessionId !== undefined && (flags.continue === true || resume !== undefined),
    '--session-id names a new session: it does not go with --continue or --resume.',
  ],
  [
    ({ sessionId }) => sessionId !== undefined && !/^[\w.-]{1,64}$/.test(sessionId),
    '--session-id has to be letters, digits and any of - _ . up to 64, such as nightly-7.',
  ],
  [
    ({ resume }) => typeof resume === 'string' && resume.trim() === '',
    '--resume has to be followed by an id or words of a title, or by nothing to choose from a list.',
  ],
  [
    ({ forkSession, resume, ...flags }) => forkSession === true && !flags.continue && resume === undefined,
    '--fork-session copies a session: say which with --continue or --resume.',
  ],
  [
    ({ takeUp, resume, ...flags }) => takeUp === true && !flags.continue && resume === undefined,
    '--take-up is for a session that goes on: say which with --continue or --resume.',
  ],
  [
    ({ print, outputFormat }) => print === undefined && outputFormat !== undefined,
    '--output-format is for scripts: it needs --print.',
  ],
  [
    ({ print, inputFormat }) => print === undefined && inputFormat !== undefined,
    '--input-format is for scripts: it needs --print.',
  ],
  [
    ({ print, agentsWait }) => print === undefined && agentsWait !== undefined,
    '--agents-wait is for scripts: it needs --print.',
  ],
  [
    (flags) => isStream(flags) && flags.outputFormat !== 'stream-json',
    '--input-format stream-json needs --output-format stream-json: every message gets an answer of its own.',
  ],
  [
    (flags, argument) => isStream(flags) && (argument !== undefined || typeof flags.print === 'string'),
    'With --input-format stream-json prompts come from stdin: leave the one on the command line out.',
  ],
  [
    ({ print, resume }) => print !== undefined && resume === true,
    '--resume has to name a session when nobody is there to choose: --resume <id>, or --continue for the latest.',
  ],
]

/** Throws a usage error for the first rule that options break together. */
function checkTogether(flags: RunFlags, argument: string | undefined): void {
  const broken = RULES.find(([isBroken]) => isBroken(flags, argument))
  if (broken) throw usageError(broken[1])
}

/** Makes options of flags that go together. */
function toRunOptions(flags: RunFlags, argument: string | undefined, fromFile: Settings = {}): RunOptions {
  const { print, maxTurns, maxBudget } = flags
  const isPrint = print !== undefined
  return {
    ...(isPrint && { print: argument ?? print }),
    ...(!isPrint && argument !== undefined && { prompt: argument }),
    output: flags.outputFormat ?? 'text',
    input: flags.inputFormat ?? 'text',
    limits: {
      ...(maxTurns !== undefined && { maxTurns }),
      ...(maxBudget !== undefined && { maxBudgetUsd: maxBudget }),
    },
    open: openChoice(flags),
    ...(flags.takeUp && { takeUp: flags.takeUp }),
    isOffline: flags.offline ?? false,
    overrides: overrides(flags, fromFile),
  }
}

function openChoice({ resume, sessionId, forkSession, ...flags }: RunFlags): OpenChoice {
  const fork = forkSession ?? false
  if (flags.continue) return { kind: 'continue', fork }
  if (resume !== undefined) return { kind: 'resume', ...(resume !== true && { text: resume }), fork }
  return { kind: 'new', ...(sessionId !== undefined && { id: sessionId }) }
}

/** Options stand above the file that `--settings` names; lists of both are taken together. */
function overrides(flags: RunFlags, fromFile: Settings): Settings {
  const { model, permissionMode: mode, allowedTools: allow, disallowedTools: deny, addDir: workspace } = flags
  const permissions = {
    ...(mode !== undefined && { mode }),
    ...(allow && { allow }),
    ...(deny && { deny }),
    ...(workspace && { workspace }),
  }
  const given: Settings = {
    ...(model !== undefined && { model }),
    ...(Object.keys(permissions).length > 0 && { permissions }),
    ...(flags.flags && { flags: flags.flags }),
    ...(flags.agentsWait !== undefined && { agents: { waitSeconds: flags.agentsWait } }),
  }
  return mergeSettings([fromFile, given])
}

/** A command line that can not be followed, said as commander says it. */
export function usageError(message: string): CommanderError {
  return new CommanderError(EXIT.usage, 'nacre.usage', message)
}
