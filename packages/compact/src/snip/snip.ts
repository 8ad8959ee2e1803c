import type { Layer } from '../layer.js'
import { deadEndRelief } from './dead-end-relief.js'
import { snipCommand } from './snip-command.js'
import { snipTool } from './snip-tool.js'

/** Leaves chosen rounds out of the view, without the model: by command, by the model's own choice, or as dead ends. */
export const snip: Layer = (parts) => ({
  commands: [snipCommand(parts)],
  // The bytes of the tools stay what they were when the session began; switched off later, a call is refused.
  tools: parts.flag('snip') ? [snipTool(parts)] : [],
  reliefs: [deadEndRelief(parts)],
})
