import { throughPlugin } from '../through-plugin.js'

export const permissionsCommand = throughPlugin({
  name: 'permissions',
  plugin: 'permissions',
  help: 'Lists the rules and where they came from; adds one for this session: allow|ask|deny Tool(what).',
  example: '/permissions allow Bash(npm run test:*)',
  words: ['allow ', 'ask ', 'deny '],
  accepts: (args) => args === '' || /^(allow|ask|deny)\s+\S/.test(args),
})
