import type { Contribution } from '@nacre/core'
import type { Parts } from './parts.js'

/** One part of the plugin: what it adds to a session. */
export type Layer = (parts: Parts) => Pick<Contribution, 'hooks' | 'tools' | 'reliefs' | 'commands'>
