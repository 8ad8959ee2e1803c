import { criteriaText } from '../rules/criteria.js'
import { DRAFT_FORM } from '../tool/draft-file.js'
import { MEMORY_TOOL, ROOT } from '../tool/memory-command.js'

/** What a dream is asked with. */
export interface DreamFacts {
  readonly today: string
  /** A line for each memory that there is: path, type, when it was last confirmed, what it says. */
  readonly memories: readonly string[]
  /** What the runtime has noticed: pointers to nothing, lines without room, files that are no memories. */
  readonly noticed: readonly string[]
  /** The sessions whose words are new, with their titles. */
  readonly sessions: readonly string[]
  /** Daily logs that can be viewed. */
  readonly logs: readonly string[]
}

/** The words in which a fork is asked to consolidate a folder, in four phases. */
export function dreamPrompt({ today, memories, noticed, sessions, logs }: DreamFacts): string {
  return `This is a task of its own: consolidate the long-term memory, so that later sessions find it short, true and without doubles. Today is ${today}. Use only the tool ${MEMORY_TOOL} to write; you work on a copy, which is checked before anything is taken. A pass that changes nothing is a good one.

Phase 1, orient. View the files that seem to say the same or the contrary.
<memories>
${memories.length > 0 ? memories.join('\n') : 'none'}
</memories>
<noticed>
${noticed.length > 0 ? noticed.map((line) => `- ${line}`).join('\n') : 'nothing'}
</noticed>

Phase 2, gather. Narrow searches only (search with in: transcripts), never a whole transcript. New words are in these sessions:
<sessions>
${sessions.length > 0 ? sessions.map((line) => `- ${line}`).join('\n') : 'none'}
</sessions>${logs.length > 0 ? `\nDaily logs: ${logs.map((path) => `${ROOT}/${path}`).join(', ')}` : ''}

Phase 3, consolidate.
- Several files that say the same: str_replace the best one so that it says all of it, then merge the others into it. Every number, name and 'not' has to be in it.
- A fact that a newer one contradicts: supersede the older by the newer. Do not change its text.
- Something new: create a file in this form, with a quote from a transcript:
${DRAFT_FORM}
- Dates in full.

Phase 4, prune. delete (which archives) what is momentary or can be seen in the code, each with a reason. Nothing is ever lost; still, archive little. ${'`'}MEMORY.md${'`'} and ids are kept by the runtime.

${criteriaText()}

When you are done, say in two sentences what you did and why.`
}
