import { sectionTitles } from './section-titles.js'

/** What a summary is to be about. */
export interface SummaryOrder {
  /** The user's first, then those of plugins, then those of the settings. */
  readonly instructions: readonly string[]
  /** Only what follows a message, or what precedes it, which is told by how the message begins. */
  readonly part?: { readonly side: 'from' | 'upTo'; readonly begins: string }
  /** Whether what is written first is thrown away; else all of the answer is the summary. */
  readonly hasDraft: boolean
}

const TEXT_ONLY = 'Answer with text only. Call no tools: every call is refused, and it would be your only turn.'

/** Asks for a summary in nine sections. */
export function summaryPrompt(order: SummaryOrder): string {
  const isUpTo = order.part?.side === 'upTo'
  return [
    TEXT_ONLY,
    scope(order.part),
    'The summary will stand in place of what it is about: whoever works on reads it and not the original. So give exact names, paths, identifiers, numbers, commands and error texts as they are, never from memory of what is usual. A summary or notes of a still earlier part may stand at the beginning; whatever of them you do not carry over is lost. Results that were cleared or shortened are no concern: say what is known.',
    form(order.hasDraft, isUpTo),
    sections(isUpTo),
    ...wishes(order.instructions),
    TEXT_ONLY,
  ].join('\n\n')
}

function scope(part: SummaryOrder['part']): string {
  if (!part) return 'Write a summary of this whole conversation up to here.'
  const quote = `the message that begins with «${part.begins}»`
  return part.side === 'from'
    ? `Write a summary of a part of this conversation: of all that follows from ${quote} on, that message included. What stands before it stays as it is, so do not summarise it.`
    : `Write a summary of a part of this conversation: of all that stands before ${quote}. That message and what follows it stay as they are, so do not summarise them.`
}

function form(hasDraft: boolean, isUpTo: boolean): string {
  const titles = sectionTitles(isUpTo).map((title, index) => `${index + 1}. ${title}`)
  const skeleton = titles.join('\n…\n')
  return hasDraft
    ? `First go through it in order inside <analysis> tags: what was asked, what was done, which files and errors came up, what the user corrected. That draft is thrown away. Then write the summary inside <summary> tags, with these nine numbered headings as they are, each on a line of its own:\n\n<analysis>\n…\n</analysis>\n<summary>\n${skeleton}\n…\n</summary>`
    : `Write nothing but the summary, with these nine numbered headings as they are, each on a line of its own:\n\n${skeleton}\n…`
}

function sections(isUpTo: boolean): string {
  const [eight, nine] = isUpTo
    ? [
        'what was finished in this part, and in which state it was left',
        'what one has to know to understand what follows: decisions, open ends, agreements',
      ]
    : [
        'what was being worked on last, precisely, with files and code',
        'the step that follows directly from the last work, with verbatim quotes of the latest messages that ask for it, so that the task does not drift. No step that nobody asked for',
      ]
  return [
    'What belongs where:',
    '1: everything that the user wants, with all conditions and corrections',
    '2: technologies, terms and decisions that matter',
    '3: files that were read, changed or made, with why they matter and the code that is needed further on',
    '4: each error with its exact text, how it was fixed, and what the user said about it',
    '5: what was solved, and what is still being looked into',
    '6: every message of the user that is no tool result, word for word and in order',
    '7: what was asked for and is not done',
    `8: ${eight}`,
    `9: ${nine}`,
  ].join('\n')
}

/** They shape the summary and are no part of it: nobody is to follow them later. */
function wishes(instructions: readonly string[]): string[] {
  const given = instructions.map((text) => text.trim()).filter((text) => text !== '')
  if (given.length === 0) return []
  const list = given.map((text, index) => `(${index + 1}) ${text}`).join('\n')
  return [
    `Wishes for this summary, the first weighs most. They are for you alone: follow them, and do not write them down.\n${list}`,
  ]
}
