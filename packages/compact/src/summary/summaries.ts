import type { Layer } from '../layer.js'
import { announceServer } from './announce-server.js'
import { plainRelief } from './plain-relief.js'
import { createReach } from './reach.js'
import { serverRelief } from './server-relief.js'
import { sharedRelief } from './shared-relief.js'

/** Summaries by the model, by the way that costs the least: by the server, on the shared cache, by a call of its own. */
export const summaries: Layer = (parts) => {
  const reach = createReach()
  return {
    reliefs: [serverRelief(parts, reach), sharedRelief(parts, reach), plainRelief(parts, reach)],
    hooks: { PreModelCall: announceServer(parts) },
  }
}
