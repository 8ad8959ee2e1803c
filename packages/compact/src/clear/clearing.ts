import type { Layer } from '../layer.js'
import { clearRelief } from './clear-relief.js'
import { mediaReliefs } from './media-reliefs.js'

/** Layer 2: old results become one line each, long old inputs their beginnings, and media words when nothing else fits. */
export const clearing: Layer = (parts) => ({ reliefs: [...mediaReliefs(parts), clearRelief(parts)] })
