export { assertConforms, pluginConformance } from './plugin-conformance.js'
export {
  CHECKS,
  type CheckName,
  type ConformanceOptions,
  type ConformanceReport,
  type CreateSession,
  type EventLike,
  type Finding,
  type PlannedCall,
  type PluginLike,
  type SessionLike,
} from './types.js'
