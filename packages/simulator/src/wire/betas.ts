import { invalid } from './api-error.js'

/** The betas that change what this server does. */
export const BETA = {
  contextManagement: 'context-management-2025-06-27',
  thresholdCompaction: 'compact-2026-01-12',
  onDemandCompaction: 'compact-2026-09-04',
  threads: 'message-threads-2026-08-12',
  thinkingBinding: 'thinking-binding-controls-2026-08-01',
  thinkingUpdates: 'thinking-display-updates-2026-08-18',
  systemClearAt: 'mid-conversation-system-clear-at-2026-08-21',
  systemOutputConfig: 'mid-conversation-output-config-2026-07-01',
  toolChanges: 'mid-conversation-tool-changes-2026-07-01',
  inlineTools: 'inline-tools-2026-09-15',
  taskBudgets: 'task-budgets-2026-03-13',
  fastMode: 'fast-mode-2026-02-01',
  tokenCounting: 'token-counting-2024-11-01',
} as const

/** Known, and without effect here. */
const ACCEPTED = [
  'advanced-tool-use-2025-11-20',
  'advisor-tool-2026-03-01',
  'cache-diagnosis-2026-04-07',
  'code-execution-2025-05-22',
  'code-execution-2025-08-25',
  'code-execution-web-tools-2026-02-09',
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'dangerous-tool-use-2026-09-03',
  'dev-full-thinking-2025-05-14',
  'effort-2025-11-24',
  'extended-cache-ttl-2025-04-11',
  'fallback-credit-2026-06-01',
  'fallback-credit-2026-07-01',
  'files-api-2025-04-14',
  'fine-grained-tool-streaming-2025-05-14',
  'interleaved-thinking-2025-05-14',
  'mcp-client-2025-04-04',
  'mcp-client-2025-11-20',
  'mcp-client-2026-09-15',
  'message-batches-2024-09-24',
  'mid-conversation-system-2026-04-07',
  'model-context-window-exceeded-2025-08-26',
  'oauth-2025-04-20',
  'output-128k-2025-02-19',
  'output-300k-2026-03-24',
  'pdfs-2024-09-25',
  'prompt-caching-2024-07-31',
  'server-side-fallback-2026-06-01',
  'server-side-fallback-2026-07-01',
  'skills-2025-10-02',
  'structured-outputs-2025-11-13',
  'structured-outputs-2025-12-15',
  'thinking-token-count-2026-05-13',
  'token-efficient-tools-2025-02-19',
  'tool-search-tool-2025-10-19',
  'user-profiles-2026-03-24',
  'user-profiles-2026-08-18',
  'user-profiles-2026-09-04',
  'web-fetch-2025-09-10',
]

const KNOWN: ReadonlySet<string> = new Set([...Object.values(BETA), ...ACCEPTED])
const NONE: ReadonlySet<string> = new Set()

/** The betas of a request; unknown ones are refused by name. */
export function readBetas(header: string | undefined): ReadonlySet<string> {
  if (!header) return NONE
  const betas = new Set(
    header
      .split(',')
      .map((beta) => beta.trim())
      .filter(Boolean),
  )
  const unknown = [...betas].filter((beta) => !KNOWN.has(beta))
  if (unknown.length) {
    const names = unknown.map((beta) => `\`${beta}\``).join(', ')
    throw invalid(
      `Unexpected value(s) ${names} for the \`anthropic-beta\` header. Please consult our documentation at platform.claude.com/docs or try again without the header.`,
    )
  }
  return betas
}
