export {
  defineTool,
  errorResult,
  type ShownTool,
  type ToolDefinition,
  type ToolTraits,
  textOf,
  textResult,
} from './define-tool.js'
export type { PathGuard } from './paths/path-guard.js'
export { realPath } from './paths/real-path.js'
