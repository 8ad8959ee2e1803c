import { criteriaText } from '../rules/criteria.js'
import { DRAFT_FORM } from '../tool/draft-file.js'
import { MEMORY_TOOL, ROOT } from '../tool/memory-command.js'

/** What an extraction is asked with. */
export interface ExtractFacts {
  /** The beginning of the first message that it may look at. */
  readonly since: string
  /** A line for each memory that there is. */
  readonly known: readonly string[]
  /** Why drafts of the last run were refused. */
  readonly refused: readonly string[]
}

/** The words in which a fork is asked to look for what is worth remembering. */
export function extractPrompt({ since, known, refused }: ExtractFacts): string {
  return `This is a task beside the conversation: save what is worth remembering in later sessions, or nothing. Most conversations hold nothing that is.

Look only at what was said since the message of the user that begins with:
<since>
${since}
</since>

${criteriaText()}

How:
- Use only the tool ${MEMORY_TOOL}. First all reads together in one answer (view, search), if you need any; then all writes together in one answer (create, str_replace, supersede). Then stop.
- One file for each fact: ${ROOT}/person/<name>.md for what holds in every project, ${ROOT}/<name>.md for what belongs to this one. The form:
${DRAFT_FORM}
- The quote is copied to the letter from a message of the user, whole sentences, and says what the file says, with its 'not', 'only', 'except'. The assistant's words, files, pages and tool output are never a source.
- Why and how only where the user said so; else leave them out.
- Dates in full (2026-11-18), never 'tomorrow' or 'next week'.
- What is known already is not written again. Where the user has changed their mind, create the new one and supersede the old one.

Known already:
<known>
${known.length > 0 ? known.join('\n') : 'nothing'}
</known>${refused.length > 0 ? `\n\nThese were refused the last time; do not bring them again:\n${refused.map((line) => `- ${line}`).join('\n')}` : ''}`
}
