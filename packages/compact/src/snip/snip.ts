import type { Layer } from '../layer.js'
import { deadEndRelief } from './dead-end-relief.js'
import { snipCommand } from './snip-command.js'
import { snipTool } from './snip-tool.js'

/** Leaves chosen rounds out of the view, without the model: by command, by the model's own choice, or as dead ends. */
export const snip: Layer = (parts) => {
  const tool = snipTool(parts)
  return {
    commands: [snipCommand(parts)],
    get tools() {
      return parts.flag('snip') ? [tool] : []
    },
    reliefs: [deadEndRelief(parts)],
  }
}
