import type { Narrator } from './narrator.js'

const nothing = () => undefined

/** Says nothing. */
export const silent: Narrator = {
  scene: nothing,
  prompt: nothing,
  command: nothing,
  call: nothing,
  fired: nothing,
  answer: nothing,
  retried: nothing,
  refused: nothing,
  flush: async () => undefined,
}
