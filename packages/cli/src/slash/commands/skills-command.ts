import { throughPlugin } from '../through-plugin.js'

export const skillsCommand = throughPlugin({
  name: 'skills',
  plugin: 'skills',
  help: 'Lists the skills that were found, and what is wrong with those that can not be read.',
  example: '/skills',
  accepts: (args) => args === '',
})
