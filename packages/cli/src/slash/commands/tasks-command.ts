import { throughPlugin } from '../through-plugin.js'

export const tasksCommand = throughPlugin({
  name: 'tasks',
  plugin: 'shell',
  help: 'Lists the commands that were started in the background and how they are; stop <id> ends one.',
  example: '/tasks stop bash_1',
  words: ['stop '],
  accepts: (args) => args === '' || /^stop\s+\S+$/.test(args),
})
