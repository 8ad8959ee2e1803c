import { definePlugin, type Plugin } from '@nacre/core'
import type { SearchOptions } from './search-options.js'
import { searchTools } from './search-tools.js'

/** Grep and Glob for the model. */
export function search(options: SearchOptions = {}): Plugin {
  return definePlugin({
    name: 'search',
    scope: 'all',
    setup() {
      const { grep, glob } = searchTools(options)
      return { tools: [grep, glob] }
    },
  })
}
