export { readResultTool } from './read-result-tool.js'
export type { ResultLimits } from './result-limits.js'
export { type ToolResultStorageOptions, toolResultStorage } from './tool-result-storage.js'
