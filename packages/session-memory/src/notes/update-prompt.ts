import type { Oversize } from './notes.js'

/** What an update knows when it asks. */
export interface PromptFacts {
  /** The notes as they stand, with headings and hints. */
  readonly notes: string
  /** The responses that they cover; none at the first update. */
  readonly turn?: number
  readonly oversize: Oversize
  /** Why the last update came to nothing. */
  readonly problem?: string
}

/** What the model is asked at each update. */
export function updatePrompt({ notes, turn, oversize, problem }: PromptFacts): string {
  return [
    `This is a task beside the conversation, and no part of it: bring the notes of this session up to date. Call ${UPDATE_NOTES} once, with all edits in one call, then stop. No other tool can be used, there is no second turn, and nobody reads what you say besides.`,
    coverage(turn),
    `<notes>\n${notes}\n</notes>`,
    RULES,
    ...tooLarge(oversize),
    ...(problem === undefined ? [] : [`The last update came to nothing: ${problem}`]),
  ].join('\n\n')
}

const RULES = `Rules:
- The notes will stand for the conversation when it is folded. Write what one needs to go on: exact paths, names, commands, numbers, error messages, and the user's words where they rule something.
- What is being worked on right now has to be true after each update. Take out what is done with, and what is no longer true.
- Prefer 'append' and 'change' to 'replace': what stays needs not be written again. No edits at all is an answer, if nothing has to change.
- Give the text of a section only. Headings and the italic lines below them stay as they are.
- Do not write about the notes themselves, about this task, or about what stands in instruction files anyway.`

function coverage(turn: number | undefined): string {
  if (turn === undefined) return 'The notes are empty so far: cover all of the conversation above.'
  return `The notes cover up to turn ${turn}. Cover all that came after it as well.`
}

function tooLarge({ sections, total }: Oversize): string[] {
  if (sections.length === 0 && !total) return []
  const lines = sections.map(
    ({ name, tokens, limit }) =>
      `- '${name}' has about ${tokens} tokens, ${tokens - limit} more than the ${limit} allowed`,
  )
  if (total)
    lines.push(
      `- all sections have about ${total.tokens} tokens, ${total.tokens - total.limit} more than the ${total.limit} allowed`,
    )
  return [
    `The notes are too large and would be cut. Shorten them in this update by 'replace'; keep what is being worked on and what was corrected:\n${lines.join('\n')}`,
  ]
}

/** What the tool is called, in its schema and in all that tells the model of it. */
export const UPDATE_NOTES = 'UpdateNotes'
