import type { Plugin } from '@nacre/core'
import { askUser } from './ask-user/ask-user.js'
import type { Ask } from './ask-user/question.js'
import { files } from './files/files.js'
import { instructions } from './instructions/instructions.js'
import { mcp } from './mcp/mcp.js'
import type { McpOptions } from './mcp/mcp-options.js'
import { createPermissions, type Permissions, type PermissionsOptions } from './permissions/create-permissions.js'
import { permissions } from './permissions/permissions.js'
import { isReadOnlyCommand } from './permissions/shell/is-read-only-command.js'
import { planMode } from './plan-mode/plan-mode.js'
import { search } from './search/search.js'
import { shell } from './shell/shell.js'
import { skills } from './skills/skills.js'
import { toolResultStorage } from './storage/tool-result-storage.js'
import { todos } from './todos/todos.js'
import { web } from './web/web.js'
import type { WebOptions } from './web/web-options.js'

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
    web(options.web),
    todos(),
    askUser(ask ? { ask } : {}),
    planMode(),
    skills(),
    mcp(options.mcp),
  ]
}
