import { definePlugin, type Plugin, type Rule } from '@nacre/core'
import { type InstructionsOptions, loadInstructions } from './load-instructions.js'
import { nestedInstructions } from './nested-instructions.js'
import { wordInstructions } from './word-instructions.js'

/**
 * Brings AGENTS.md, CLAUDE.md and NACRE.md into the system prompt, at the start and again at a fold from the start, and
 * those of folders further down when a file there is read.
 */
export function instructions(options: InstructionsOptions = {}): Plugin {
  return definePlugin({
    name: 'instructions',
    scope: 'all',
    setup({ store, cwd }) {
      let rules: readonly Rule[] = []
      return {
        prompt: [
          {
            name: 'instructions',
            scope: 'session',
            async text() {
              const files = await loadInstructions(cwd, options)
              rules = files.map(({ path, hash }) => ({ path, hash }))
              return wordInstructions(files)
            },
            rules: () => rules,
          },
        ],
        hooks: { PreModelCall: nestedInstructions(store, cwd, options) },
      }
    },
  })
}
