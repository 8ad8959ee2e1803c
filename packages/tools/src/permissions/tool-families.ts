/** Rules for Read speak of these too. */
export const READING_TOOLS: ReadonlySet<string> = new Set(['Read', 'Grep', 'Glob', 'NotebookRead', 'LS'])

/** Those of them that look into a folder and all below. */
export const SEARCHING_TOOLS: ReadonlySet<string> = new Set(['Grep', 'Glob', 'LS'])

/** Rules for Edit speak of these too. */
export const EDITING_TOOLS: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])

/** Tools that touch nothing but the session itself: nobody is asked, in no mode. */
export const SESSION_TOOLS: ReadonlySet<string> = new Set([
  'AskUser',
  'BashOutput',
  'EnterPlanMode',
  'ExitPlanMode',
  'KillBash',
  'Skill',
  'Todo',
  'ToolSearch',
])

/** Whether a rule that names one tool speaks of another one. */
export function coversTool(ruleTool: string, tool: string): boolean {
  if (ruleTool === tool) return true
  if (ruleTool === 'Read') return READING_TOOLS.has(tool)
  if (ruleTool === 'Edit') return EDITING_TOOLS.has(tool)
  if (!ruleTool.startsWith('mcp__')) return false
  return ruleTool.endsWith('*') ? tool.startsWith(ruleTool.slice(0, -1)) : tool.startsWith(`${ruleTool}__`)
}
