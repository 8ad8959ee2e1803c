import { existsSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import {
  type Command,
  definePlugin,
  type Hooks,
  type Id,
  type Plugin,
  type SessionStore,
  type Tool,
  type ToolCall,
  type View,
} from '@nacre/core'
import { stateEntry } from '../conversation.js'
import { isInDomain } from '../domains.js'
import { limitTime } from '../limit-time.js'
import { leadsTo, type PathGuard } from '../paths.js'
import type { Sandbox } from '../sandbox/create-sandbox.js'
import type { Access, Cage, SandboxStatus } from '../sandbox/sandbox.js'
import { type CagingOptions, callCages } from './call-cages.js'
import { judgeCall } from './judge-call.js'
import { comparable, type JudgeSetting, judgePath, pathAccess, patternBase } from './judge-path.js'
import { judgeServerSearch, type SearchRuling } from './judge-search.js'
import {
  describeRule,
  isPermissionMode,
  type Judgement,
  MODE_SPELLINGS,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionRule,
  parseRule,
  RULE_VERDICTS,
  type RuleVerdict,
  SEARCHING_TOOLS,
} from './permission-rule.js'
import type { PermissionSettings } from './read-permission-settings.js'

/** The plugin's name, and the owner of its state. */
const OWNER = 'permissions'

/**
 * Judges every call by rules and a mode, in forks and sub-agents too. Takes options, or an object of `createPermissions`
 * that the host and its tools share.
 */
export function permissions(options: PermissionsOptions | Permissions = {}): Plugin {
  return definePlugin({
    name: OWNER,
    scope: 'all',
    async setup({ cwd }) {
      const live = 'judge' in options ? options : createPermissions(options)
      // What rules make of a command depends on it.
      await live.ready()
      return { hooks: permissionHooks(live, cwd), commands: permissionCommands(live) }
    },
  })
}

function permissionHooks(live: Permissions, cwd: string): Hooks {
  const root = resolve(cwd)
  return {
    // Inputs stay as the model gave them: a path that was rewritten would be another one to whoever reads the log.
    async SessionStart(_event, { source, view, store }) {
      if (source === 'main') await live.attach({ store, view })
    },
    async ViewChanged({ edit }, { source, view, store }) {
      if (source === 'main' && edit.changes.some(({ kind }) => kind === 'drop')) await live.attach({ store, view })
    },
    PreToolUse({ call, tool }, { view }) {
      const now = view()
      const from = call.name === 'Bash' ? shellFolder(now, root) : root
      const { verdict, reason } = live.judge(call, tool, from, { root, view: now })
      return verdict === 'pass' ? undefined : { verdict, reason }
    },
    PostToolUse: ({ call }) => live.forget(call.id),
    PostToolUseFailure: ({ call }) => live.forget(call.id),
  }
}

/** Where the shell tool keeps itself between two commands; it goes back to the session's folder when that is gone. */
function shellFolder(view: View, root: string): string {
  const kept = view.state('shell', 'cwd')
  return typeof kept === 'string' && existsSync(kept) ? kept : root
}

export interface PermissionsOptions extends CagingOptions {
  /** `default` unless told, here or by the settings. */
  readonly mode?: PermissionMode
  readonly rules?: Readonly<Partial<Record<RuleVerdict, readonly string[]>>>
  /** What `readPermissionSettings` has read. */
  readonly settings?: PermissionSettings
  /** Folders beside the working folder in which work may be done. */
  readonly workspace?: readonly string[]
}

/** Rules and a mode, alive: what is added or set counts from the next call on. */
export interface Permissions {
  readonly mode: PermissionMode
  /** Kept in the log of the session, where one uses this. */
  setMode(mode: PermissionMode): Promise<void>
  rules(): readonly PermissionRule[]
  /** Adds a rule for the session, or throws with what is wrong with it. */
  addRule(verdict: RuleVerdict, text: string): Promise<PermissionRule>
  readonly workspace: readonly string[]
  judge(call: ToolCall, tool: Tool, cwd: string, at?: JudgePlace): Judgement
  /** Whether a server may search the web by itself: nobody is there to be asked about each search. */
  judgeServerSearch(): SearchRuling
  /** Whether a command would only read, whatever it is: its cage lets it do no more. Without a cage, whether it plainly does. */
  onlyReads(command: string, access?: Access): boolean
  /** The cage that a call was judged for; nothing where nobody has judged it. */
  cageOf(call: Id): Promise<Cage | 'outside' | undefined>
  /** Whether a host may be reached by a command in the sandbox, as far as rules say it. */
  judgeHost(host: string): RuleVerdict | undefined
  /** For tools that open files: holds them to the places that their calls were judged for. */
  readonly guard: PathGuard
  /** The call has ended. */
  forget(call: Id): void
  /** What commands are put into cages by, for the tool that runs them. */
  readonly sandbox: Sandbox | undefined
  /** Finds out whether there is a sandbox; called by the plugin. */
  ready(): Promise<void>
  /** Called by the plugin, once the session that keeps mode and rules is there. */
  attach(session: PermissionSession): Promise<void>
}

type Viewed = Pick<View, 'state'>

interface PermissionSession {
  readonly store: Pick<SessionStore, 'append'>
  view(): Viewed
}

/** Where a call is made from, when that is not where the session lives. */
export interface JudgePlace {
  /** Where relative patterns and the workspace start; the working folder of the call unless told. */
  readonly root?: string
  /** Of the conversation that makes the call. */
  readonly view?: Viewed
}

/** Makes rules and a mode for a session and its tools. A rule that is broken throws. */
export function createPermissions(options: PermissionsOptions = {}): Permissions {
  const { settings, workspace = [] } = options
  const given = RULE_VERDICTS.flatMap((verdict) =>
    (options.rules?.[verdict] ?? []).map((text) => parseRule(text, verdict, { level: 'option' })),
  )
  const fixed = [...(settings?.rules ?? []), ...given]
  const folders = [...(settings?.workspace ?? []), ...workspace]
  const guard = callGuard()
  const cages = callCages(options)
  const { sandbox } = options
  let added: readonly PermissionRule[] = []
  let mode = options.mode ?? settings?.mode ?? 'default'
  let session: PermissionSession | undefined
  const modeOf = (view = session?.view()) => (view && modeIn(view)) ?? (session && modeIn(session.view())) ?? mode
  const rules = (view = session?.view()) => [...fixed, ...added, ...(view ? rulesIn(view, added) : [])]
  return {
    get mode() {
      return modeOf()
    },
    async setMode(next) {
      if (session) await session.store.append([stateEntry(OWNER, 'mode', next)])
      else mode = next
    },
    rules: () => rules(),
    async addRule(verdict, text) {
      const rule = parseRule(text, verdict, { level: 'session' })
      added = [...rules().filter(({ origin }) => origin.level === 'session'), rule]
      await keep(session, added)
      return rule
    },
    workspace: folders,
    judge(call, tool, cwd, { root = cwd, view } = {}) {
      const places = [root, ...folders.map((folder) => resolve(root, folder))]
      // A search comes upon files that nobody has named.
      const hides = (path: string) => judgePath(pathAccess('read', 'Read', path), setting).verdict !== 'allow'
      const setting: JudgeSetting = {
        mode: modeOf(view),
        rules: rules(view),
        cwd: resolve(cwd),
        base: patternBase(resolve(root)),
        workspace: places.map((place) => leadsTo(resolve(place), '/')),
        caging: cages.caging(view ?? session?.view()),
        note: ({ real }) => guard.judged(call.id, real, SEARCHING_TOOLS.has(call.name) ? hides : undefined),
      }
      const judged = judgeInTime(call, tool, setting)
      cages.judged(call.id, judged, setting)
      return judged
    },
    onlyReads(command, access = 'read') {
      const asked = { access, view: session?.view(), mode: modeOf(), rules: rules() }
      return limitTime(MOST_MILLISECONDS, () => cages.onlyReads(command, asked), no)
    },
    cageOf: cages.cageOf,
    judgeHost: (host) => judgeHost(rules(), host),
    sandbox,
    judgeServerSearch: () => judgeServerSearch(rules(), modeOf()),
    guard,
    forget(call) {
      cages.forget(call)
      guard.forget(call)
    },
    async ready() {
      await sandbox?.status()
    },
    async attach(next) {
      session = next
      // A rewind takes state back; a rule that a person has given stays until they close the session.
      if (rulesIn(next.view(), []).length < added.length) await keep(session, added)
    },
  }
}

/** Every step is bounded; calls and rules that strangers write can still make them many. */
const MOST_MILLISECONDS = 2_000

const no = () => false

function judgeInTime(call: ToolCall, tool: Tool, setting: JudgeSetting): Judgement {
  const judged = () => judgeCall(call, tool, setting)
  return limitTime(MOST_MILLISECONDS, judged, () => notJudged(call))
}

function notJudged({ name }: ToolCall): Judgement {
  const seconds = MOST_MILLISECONDS / 1_000
  return {
    verdict: 'ask',
    reason: `This call of ${name} could not be judged within ${seconds} seconds. Look at it closely, or ask for a simpler one.`,
  }
}

async function keep(session: PermissionSession | undefined, rules: readonly PermissionRule[]): Promise<void> {
  const value = rules.map(({ verdict, text }) => ({ verdict, text }))
  await session?.store.append([stateEntry(OWNER, 'rules', value)])
}

type Hides = (path: string) => boolean

/** A guard that knows for which places each call was judged. */
interface CallGuard extends Required<PathGuard> {
  /** Ties a call to a place; with `hides` to all below it too, but for what that says. */
  judged(call: Id, realPath: string, hides?: Hides): void
  /** The call has ended. */
  forget(call: Id): void
}

/** Calls that never end, since somebody stopped them, must not pile up. */
const MOST_CALLS = 10_000

function callGuard(): CallGuard {
  const calls = new Map<Id, Map<string, Hides | undefined>>()
  return {
    judged(call, realPath, hides) {
      const places = calls.get(call) ?? new Map<string, Hides | undefined>()
      places.set(comparable(realPath), hides)
      calls.set(call, places)
      if (calls.size > MOST_CALLS) calls.delete(calls.keys().next().value ?? call)
    },
    forget: (call) => void calls.delete(call),
    hides: (call, path) => [...(calls.get(call)?.values() ?? [])].some((hides) => hides?.(path)),
    verify(call, realPath) {
      const places = calls.get(call)
      if (!places) return
      const path = comparable(realPath)
      for (const [place, hides] of places) {
        if (path === place || (hides && path.startsWith(place.endsWith(sep) ? place : `${place}/`))) return
      }
      const judged = [...places.keys()].join(', ')
      throw new Error(
        `The path leads to ${realPath} now, but the call was judged for ${judged}: something was changed in between. Make the call again, so that it is judged for where it leads.`,
      )
    },
  }
}

/** The mode that was set in a conversation: a resume brings it back, a rewind takes it back. */
function modeIn(view: Viewed): PermissionMode | undefined {
  const mode = view.state(OWNER, 'mode')
  return isPermissionMode(mode) ? mode : undefined
}

/** The rules that were added in a conversation, without those that are known already. */
function rulesIn(view: Viewed, known: readonly PermissionRule[]): PermissionRule[] {
  const kept = (view.state(OWNER, 'rules') ?? []) as unknown as readonly KeptRule[]
  return parsedRules(kept).filter(
    (rule) => !known.some(({ text, verdict }) => text === rule.text && verdict === rule.verdict),
  )
}

interface KeptRule {
  readonly verdict: RuleVerdict
  readonly text: string
}

const parsed = new WeakMap<readonly KeptRule[], readonly PermissionRule[]>()

function parsedRules(kept: readonly KeptRule[]): readonly PermissionRule[] {
  const rules = parsed.get(kept) ?? kept.map(({ verdict, text }) => parseRule(text, verdict, { level: 'session' }))
  parsed.set(kept, rules)
  return rules
}

/** Rules for what commands reach, and for pages that the model reads: who may be read may be reached. */
const HOST_TOOLS = new Set(['Network', 'WebFetch'])

/** What rules say of a host that a command in the sandbox wants to reach; nothing where none speaks of it. */
function judgeHost(rules: readonly PermissionRule[], host: string): RuleVerdict | undefined {
  const name = host.toLowerCase().replace(/\.$/, '')
  return RULE_VERDICTS.find((verdict) =>
    rules.some((rule) => HOST_TOOLS.has(rule.tool) && rule.verdict === verdict && speaksOfHost(rule, name)),
  )
}

function speaksOfHost({ tool, subject, verdict }: PermissionRule, host: string): boolean {
  if (subject === undefined) return tool === 'Network' || verdict !== 'allow'
  const domain = subject.replace(/^domain:(\*\.)?/, '').toLowerCase()
  if (subject.startsWith('domain:*.')) return isInDomain(host, domain) && (host !== domain || verdict !== 'allow')
  return verdict === 'allow' ? host === domain : isInDomain(host, domain)
}

/** `/permissions` and `/mode`. */
function permissionCommands(live: Permissions): Command[] {
  return [
    {
      name: OWNER,
      help: 'Lists the rules and where they came from; adds one for the session: allow|ask|deny Tool(what).',
      run: async (args) =>
        args.trim() === '' ? listRules(live, await live.sandbox?.status()) : addRule(live, args.trim()),
    },
    {
      name: 'mode',
      help: `Shows the permission mode, or sets it: ${PERMISSION_MODES.join(', ')}.`,
      run: (args) => changeMode(live, args.trim()),
    },
  ]
}

function listRules(live: Permissions, sandbox: SandboxStatus | undefined): string {
  const rules = RULE_VERDICTS.flatMap((verdict) => live.rules().filter((rule) => rule.verdict === verdict))
  const lines = rules.length === 0 ? ['There are no rules.'] : rules.map((rule) => `- ${describeRule(rule)}`)
  const folders = live.workspace.map((folder) => `- workspace ${folder}`)
  const where = sandbox && sandbox.name !== 'none' ? `Commands run in a sandbox: ${sandbox.reason}` : noSandbox(sandbox)
  return [`The mode is ${live.mode}. ${where}`, ...lines, ...folders].join('\n')
}

function noSandbox(sandbox: SandboxStatus | undefined): string {
  const why = sandbox ? `: ${sandbox.reason}` : '.'
  return `There is no sandbox for commands${why} Only a short list of plain ones runs without a question.`
}

async function addRule(live: Permissions, args: string): Promise<string> {
  const [, word, text] = /^(\S+)\s+(.+)$/s.exec(args) ?? []
  const verdict = RULE_VERDICTS.find((known) => known === word)
  if (!verdict || text === undefined)
    return `Say allow, ask or deny, and then the rule, such as: allow Bash(npm run test:*)`
  try {
    return `Added: ${describeRule(await live.addRule(verdict, text))}.`
  } catch (error) {
    return (error as Error).message
  }
}

async function changeMode(live: Permissions, word: string): Promise<string> {
  const mode = MODE_SPELLINGS[word] ?? word
  if (mode === '') return `The mode is ${live.mode}. There are ${PERMISSION_MODES.join(', ')}.`
  if (!isPermissionMode(mode)) return `There is no mode '${mode}'. There are ${PERMISSION_MODES.join(', ')}.`
  await live.setMode(mode)
  return `The mode is ${mode}.`
}
