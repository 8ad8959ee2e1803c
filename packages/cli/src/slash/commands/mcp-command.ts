import { throughPlugin } from '../through-plugin.js'

export const mcpCommand = throughPlugin({
  name: 'mcp',
  plugin: 'mcp',
  help: 'Lists MCP servers with their tools; reconnect <server> connects one anew.',
  example: '/mcp reconnect github',
  words: ['reconnect '],
  accepts: (args) => args === '' || /^reconnect\s+\S+$/.test(args),
})
