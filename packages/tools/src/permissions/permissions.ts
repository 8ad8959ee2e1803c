import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { definePlugin, type Hooks, type Plugin, type SetupContext, type View } from '@nacre/core'
import { createPermissions, type Permissions, type PermissionsOptions } from './create-permissions.js'
import { permissionCommands } from './permission-commands.js'
import { OWNER } from './permission-state.js'

/**
 * Judges every call by rules and a mode, in forks and sub-agents too. Takes options, or an object of `createPermissions`
 * that the host and its tools share.
 */
export function permissions(options: PermissionsOptions | Permissions = {}): Plugin {
  return definePlugin({
    name: OWNER,
    scope: 'all',
    setup(context) {
      const live = 'judge' in options ? options : createPermissions(options)
      return { hooks: permissionHooks(live, context), commands: permissionCommands(live) }
    },
  })
}

function permissionHooks(live: Permissions, { cwd, store }: SetupContext): Hooks {
  const root = resolve(cwd)
  return {
    // Inputs stay as the model gave them: a path that was rewritten would be another one to whoever reads the log.
    async SessionStart(_event, { source, view }) {
      if (source === 'main') await live.attach({ store, view })
    },
    async ViewChanged({ edit }, { source, view }) {
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
