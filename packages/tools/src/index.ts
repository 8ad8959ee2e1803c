export { type AskUserOptions, askUser } from './ask-user/ask-user.js'
export { type AskUserInput, askUserTool } from './ask-user/ask-user-tool.js'
export type { Answer, Ask, Question } from './ask-user/question.js'
export {
  defineTool,
  errorResult,
  type ShownTool,
  type ToolDefinition,
  type ToolTraits,
  textOf,
  textResult,
} from './define-tool.js'
export { type FileToolOptions, type FileTools, fileTools } from './files/file-tools.js'
export { files } from './files/files.js'
export type { InstructionFile, InstructionKind } from './instructions/instruction-file.js'
export { instructions } from './instructions/instructions.js'
export { type InstructionsOptions, loadInstructions } from './instructions/load-instructions.js'
export type { FoundServer } from './mcp/found-server.js'
export { mcp } from './mcp/mcp.js'
export type { McpOptions } from './mcp/mcp-options.js'
export type { McpServer } from './mcp/mcp-server.js'
export { rankTools } from './mcp/rank-tools.js'
export { toolName as mcpToolName } from './mcp/tool-name.js'
export type { PathGuard } from './paths/path-guard.js'
export { realPath } from './paths/real-path.js'
export {
  createPermissions,
  type JudgePlace,
  type Permissions,
  type PermissionsOptions,
} from './permissions/create-permissions.js'
export type { Judgement } from './permissions/judgement.js'
export { PERMISSION_MODES, type PermissionMode } from './permissions/permission-mode.js'
export type { PermissionRule, RuleLevel, RuleOrigin, RuleVerdict } from './permissions/permission-rule.js'
export { permissions } from './permissions/permissions.js'
export {
  type PermissionSettings,
  readPermissionSettings,
  type SettingsLevel,
  type SettingsPlace,
} from './permissions/read-permission-settings.js'
export { isReadOnlyCommand } from './permissions/shell/is-read-only-command.js'
export { suggestRule } from './permissions/suggest-rule.js'
export { enterPlanMode } from './plan-mode/enter-plan-mode.js'
export { exitPlanMode } from './plan-mode/exit-plan-mode.js'
export { planFile } from './plan-mode/plan-file.js'
export { planMode } from './plan-mode/plan-mode.js'
export { findRipgrep } from './search/find-ripgrep.js'
export { search } from './search/search.js'
export type { SearchOptions } from './search/search-options.js'
export { type SearchTools, searchTools } from './search/search-tools.js'
export { type BashTools, bashTools } from './shell/bash-tools.js'
export { shell } from './shell/shell.js'
export type { ShellLimits, ShellOptions, ShellTime } from './shell/shell-options.js'
export { type FoundSkills, findSkills } from './skills/find-skills.js'
export type { Skill, SkillProblem } from './skills/skill.js'
export { skillFolders } from './skills/skill-folders.js'
export { skillTool } from './skills/skill-tool.js'
export { type SkillsOptions, skills } from './skills/skills.js'
export { type StandardToolsOptions, standardTools } from './standard-tools.js'
export { readResultTool } from './storage/read-result-tool.js'
export type { ResultLimits } from './storage/result-limits.js'
export { type ToolResultStorageOptions, toolResultStorage } from './storage/tool-result-storage.js'
export type { Todo } from './todos/todo.js'
export { todoTool } from './todos/todo-tool.js'
export { type TodosOptions, todos } from './todos/todos.js'
export { web } from './web/web.js'
export { webFetchTool } from './web/web-fetch-tool.js'
export type { Resolve, WebOptions } from './web/web-options.js'
