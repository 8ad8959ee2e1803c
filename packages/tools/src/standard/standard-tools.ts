import type { Plugin } from '@nacre/core'
import { type Ask, askUser } from '../ask-user/ask-user.js'
import { files } from '../files/files.js'
import { instructions } from '../instructions/instructions.js'
import type { McpOptions } from '../mcp/gather-servers.js'
import { mcp } from '../mcp/mcp.js'
import {
  createPermissions,
  type Permissions,
  type PermissionsOptions,
  permissions,
} from '../permissions/permissions.js'
import { planMode } from '../plan-mode/plan-mode.js'
import { createSandbox, type SandboxOptions } from '../sandbox/create-sandbox.js'
import { restrainedGit } from '../sandbox/git-settings.js'
import { search } from '../search/search.js'
import { shell } from '../shell/shell.js'
import { skills } from '../skills/skills.js'
import { toolResultStorage } from '../storage/index.js'
import { todos } from '../todos/todos.js'
import { type WebOptions, web } from '../web/web.js'

export interface StandardToolsOptions {
  /** Rules and a mode, or an object of `createPermissions` that the program keeps to change them. */
  readonly permissions?: PermissionsOptions | Permissions
  /** Asks the person what the model wants to know. */
  readonly ask?: Ask
  readonly mcp?: McpOptions
  readonly web?: WebOptions
  /** Commands run in a sandbox where the machine has what it takes; `false` for never. That of `permissions` comes first. */
  readonly sandbox?: Omit<SandboxOptions, 'allows'> | false
  /** Asks the person whether commands may reach a host, once for each; nobody may reach one that no rule allows unless told. */
  readonly askHost?: AskHost
  /** Whether somebody has said yes to what the folder brings along; yes unless told. Else git starts no program that it names. */
  readonly isTrusted?: boolean
}

export type AskHost = (host: string, port: number) => Promise<boolean>

/** Every plugin of this package, in order and wired together: what a coding agent starts with. */
export function standardTools(options: StandardToolsOptions = {}): Plugin[] {
  const { permissions: rules = {}, ask } = options
  const live = 'judge' in rules ? rules : cagedPermissions(rules, options)
  const { sandbox } = live
  return [
    permissions(live),
    toolResultStorage(),
    instructions(),
    files({ guard: live.guard }),
    shell({
      isReadOnlyCommand: live.onlyReads,
      cageOf: live.cageOf,
      ...(sandbox && { sandbox }),
      ...(options.isTrusted === false && { outsideEnvironment: (cwd) => restrainedGit(cwd, process.env) }),
    }),
    search({ guard: live.guard }),
    web({ ...options.web, search: { server: live.judgeServerSearch, ...options.web?.search } }),
    todos(),
    askUser(ask ? { ask } : {}),
    planMode(),
    skills(),
    mcp({ ...options.mcp, ...(sandbox && { sandbox }) }),
  ]
}

function cagedPermissions(rules: PermissionsOptions, { sandbox, askHost }: StandardToolsOptions): Permissions {
  if (sandbox === false || rules.sandbox) return createPermissions(rules)
  const own = createSandbox({ ...sandbox, allows: hostGate((host) => live.judgeHost(host), askHost) })
  const live = createPermissions({ ...rules, sandbox: own })
  return live
}

/** Whether a command may reach a host: by rules, else by the person, who is asked once for each. */
export function hostGate(judgeHost: Permissions['judgeHost'], ask?: AskHost): NonNullable<SandboxOptions['allows']> {
  const asked = new Map<string, Promise<boolean>>()
  return async (host, port) => {
    const verdict = judgeHost(host)
    if (verdict === 'allow') return true
    if (verdict === 'deny') return 'a rule forbids it.'
    if (!ask) return `nobody is there to be asked about it. The rule Network(domain:${host}) allows it.`
    const answer = asked.get(host) ?? ask(host, port)
    asked.set(host, answer)
    try {
      return (await answer) || 'the person said no.'
    } catch (error) {
      // Nobody has said anything: the next connection asks again.
      asked.delete(host)
      return `nobody could be asked about it (${(error as Error).message}).`
    }
  }
}
