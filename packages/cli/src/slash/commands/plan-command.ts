import { throughPlugin } from '../through-plugin.js'

const WORDS = ['on', 'off', 'done']

export const planCommand = throughPlugin({
  name: 'plan',
  plugin: 'plan-mode',
  help: 'Shows plan mode and the plan; on and off switch the mode, done says that the plan is carried out.',
  example: '/plan on',
  words: WORDS,
  accepts: (args) => args === '' || WORDS.includes(args),
})
