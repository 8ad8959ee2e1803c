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
import { isReadOnlyCommand } from '../permissions/shell/command-files.js'
import { planMode } from '../plan-mode/plan-mode.js'
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
}

/** Every plugin of this package, in order and wired together: what a coding agent starts with. */
export function standardTools(options: StandardToolsOptions = {}): Plugin[] {
  const { permissions: rules = {}, ask } = options
  const live = 'judge' in rules ? rules : createPermissions(rules)
  return [
    permissions(live),
    toolResultStorage(),
    instructions(),
    files({ guard: live.guard }),
    shell({ isReadOnlyCommand }),
    search({ guard: live.guard }),
    web({ ...options.web, search: { server: live.judgeServerSearch, ...options.web?.search } }),
    todos(),
    askUser(ask ? { ask } : {}),
    planMode(),
    skills(),
    mcp(options.mcp),
  ]
}
