import { definePlugin, type Plugin } from '@nacre/core'
import { webFetchTool } from './web-fetch-tool.js'
import type { WebOptions } from './web-options.js'

/** WebFetch for the model. */
export function web(options: WebOptions = {}): Plugin {
  return definePlugin({
    name: 'web',
    scope: 'all',
    setup: ({ now }) => ({ tools: [webFetchTool({ now, ...options })] }),
  })
}
