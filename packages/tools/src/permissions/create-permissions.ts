import { resolve } from 'node:path'
import type { Id, SessionStore, Tool, ToolCall, View } from '@nacre/core'
import type { PathGuard } from '../paths/path-guard.js'
import { callGuard } from './call-guard.js'
import { judgeCall } from './judge-call.js'
import { judgePath, pathAccess } from './judge-path.js'
import type { JudgeSetting } from './judge-setting.js'
import type { Judgement } from './judgement.js'
import { leadsTo } from './leads-to.js'
import { parseRule } from './parse-rule.js'
import { patternBase } from './path-pattern.js'
import type { PermissionMode } from './permission-mode.js'
import { type PermissionRule, RULE_VERDICTS, type RuleVerdict } from './permission-rule.js'
import { modeIn, permissionState, rulesIn } from './permission-state.js'
import type { PermissionSettings } from './read-permission-settings.js'
import { SEARCHING_TOOLS } from './tool-families.js'

export interface PermissionsOptions {
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
  /** For tools that open files: holds them to the places that their calls were judged for. */
  readonly guard: PathGuard
  /** The call has ended. */
  forget(call: Id): void
  /** Called by the plugin, once the session that keeps mode and rules is there. */
  attach(session: PermissionSession): Promise<void>
}

interface PermissionSession {
  readonly store: Pick<SessionStore, 'append'>
  view(): Pick<View, 'state'>
}

/** Where a call is made from, when that is not where the session lives. */
export interface JudgePlace {
  /** Where relative patterns and the workspace start; the working folder of the call unless told. */
  readonly root?: string
  /** Of the conversation that makes the call. */
  readonly view?: Pick<View, 'state'>
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
      if (session) await session.store.append([permissionState('mode', next)])
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
        note: ({ real }) => guard.judged(call.id, real, SEARCHING_TOOLS.has(call.name) ? hides : undefined),
      }
      return judgeCall(call, tool, setting)
    },
    guard,
    forget: guard.forget,
    async attach(next) {
      session = next
      // A rewind takes state back; a rule that a person has given stays until they close the session.
      if (rulesIn(next.view(), []).length < added.length) await keep(session, added)
    },
  }
}

async function keep(session: PermissionSession | undefined, rules: readonly PermissionRule[]): Promise<void> {
  const value = rules.map(({ verdict, text }) => ({ verdict, text }))
  await session?.store.append([permissionState('rules', value)])
}
