export { compact } from './compact.js'
export type { CompactFlag } from './flags.js'
export type { CompactOptions, Policy } from './settings.js'
