import { definePlugin, type Plugin } from '@nacre/core'
import { type FileToolOptions, fileTools } from './file-tools.js'
import { filesRestorer } from './files-restorer.js'
import { noteRecent } from './recent-files.js'

/** Read, Write, Edit and MultiEdit, and the files last worked with back in view after a fold. */
export function files(options: FileToolOptions = {}): Plugin {
  return definePlugin({
    name: 'files',
    scope: 'all',
    setup({ store, cwd }) {
      const { read, write, edit, multiEdit } = fileTools(options)
      return {
        tools: [read, write, edit, multiEdit],
        hooks: { PostToolUse: noteRecent(store, cwd) },
        restorers: [filesRestorer],
      }
    },
  })
}
