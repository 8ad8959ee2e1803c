import type { Layer } from '../layer.js'
import { announceApi } from './announce-api.js'
import { apiRelief } from './api-relief.js'
import { cachedRelief } from './cached-relief.js'
import { endGaps } from './end-gaps.js'
import { expiredRelief } from './expired-relief.js'

/** Old results that the server leaves out while what is sent stays the same: nothing else loses as little. */
export const erasing: Layer = (parts) => ({
  reliefs: [apiRelief(parts), cachedRelief(parts), expiredRelief(parts)],
  hooks: { PreModelCall: announceApi(parts), ViewChanged: endGaps(parts) },
})
