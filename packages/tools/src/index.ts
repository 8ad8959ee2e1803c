export {
  type Answer,
  type Ask,
  type AskUserInput,
  type AskUserOptions,
  askUser,
  askUserTool,
  type Question,
} from './ask-user/ask-user.js'
export {
  defineTool,
  errorResult,
  type ShownTool,
  type ToolDefinition,
  type ToolTraits,
  textOf,
  textResult,
} from './define-tool.js'
export { type FileToolOptions, type FileTools, files, fileTools } from './files/files.js'
export { instructions } from './instructions/instructions.js'
export {
  type InstructionFile,
  type InstructionKind,
  type InstructionsOptions,
  loadInstructions,
} from './instructions/load-instructions.js'
export type { FoundServer, McpOptions, McpServer } from './mcp/gather-servers.js'
export { mcp } from './mcp/mcp.js'
export { rankTools, toolName as mcpToolName } from './mcp/tool-names.js'
export { type PathGuard, realPath } from './paths.js'
export {
  type Judgement,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionRule,
  type RuleLevel,
  type RuleOrigin,
  type RuleVerdict,
  suggestRule,
} from './permissions/permission-rule.js'
export {
  createPermissions,
  type JudgePlace,
  type Permissions,
  type PermissionsOptions,
  permissions,
} from './permissions/permissions.js'
export {
  type PermissionSettings,
  readPermissionSettings,
  type SettingsLevel,
  type SettingsPlace,
} from './permissions/read-permission-settings.js'
export { isReadOnlyCommand } from './permissions/shell/command-files.js'
export { planMode } from './plan-mode/plan-mode.js'
export { enterPlanMode, exitPlanMode, planFile } from './plan-mode/plan-tools.js'
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox/create-sandbox.js'
export type { Access, Cage, CageKind, SandboxStatus } from './sandbox/sandbox.js'
export { findRipgrep } from './search/ripgrep.js'
export { type SearchOptions, type SearchTools, search, searchTools } from './search/search.js'
export { type BashTools, bashTools, shell } from './shell/shell.js'
export type { ShellLimits, ShellOptions, ShellTime } from './shell/shell-options.js'
export { type FoundSkills, findSkills, type Skill, type SkillProblem, skillFolders } from './skills/find-skills.js'
export { type SkillsOptions, skills, skillTool } from './skills/skills.js'
export { type AskHost, hostGate, type StandardToolsOptions, standardTools } from './standard/standard-tools.js'
export {
  type ResultLimits,
  readResultTool,
  type ToolResultStorageOptions,
  toolResultStorage,
} from './storage/index.js'
export { type Todo, type TodosOptions, todos, todoTool } from './todos/todos.js'
export type { Resolve } from './web/judge-place.js'
export {
  braveSearch,
  type FoundPage,
  type ProviderOptions,
  searxngSearch,
  type WebSearchProvider,
} from './web/search-provider.js'
export { type WebOptions, web, webFetchTool } from './web/web.js'
export { type SearchWay, type ServerRuling, searchWay, type WebSearchOptions, webSearchTool } from './web/web-search.js'
