import type { Block, CompactPlan, Round } from '@nacre/core'
import { normalised, withoutHalfCharacter } from '../text/format.js'
import { isUpTo, type SummaryTask } from './offer.js'
import { sectionContents, sectionCount, sectionTitles } from './sections.js'

const TEXT_ONLY = 'Answer with text only. Call no tools: every call is refused, and it would be your only turn.'

/** What a summary is asked for behind: all of the view, in which a part has to be named, or what is to be summarised alone. */
interface Asked {
  readonly behind: 'view' | 'span'
  /** What is written first is thrown away; else all of the answer is the summary. */
  readonly hasDraft: boolean
}

/** Asks for a summary in sections, of all or of the part that a person chose. */
export function summaryPrompt(task: SummaryTask, { instructions }: CompactPlan, { behind, hasDraft }: Asked): string {
  const isBefore = isUpTo(task.need)
  return [
    TEXT_ONLY,
    behind === 'span' ? WHOLE : scope(task),
    'The summary will stand in place of what it is about: whoever works on reads it and not the original. So give exact names, paths, identifiers, numbers, commands and error texts as they are, never from memory of what is usual. A summary or notes of a still earlier part may stand at the beginning; whatever of them you do not carry over is lost. Results that were cleared or shortened are no concern: say what is known.',
    form(hasDraft, isBefore),
    sectionContents(isBefore),
    // The user's first, then those of plugins, then those of the settings.
    ...wishes([...instructions, task.layer.settings.instructions]),
    TEXT_ONLY,
  ].join('\n\n')
}

const WHOLE = 'Write a summary of this whole conversation up to here.'

function scope({ view, need, span }: SummaryTask): string {
  if (!need.part) return WHOLE
  const { rounds } = view
  if ('from' in need.part) {
    const first = rounds.find((round) => round.span.from === span.from)
    return `Write a summary of a part of this conversation: of all that follows from ${quoted(first)} on, that message included. What stands before it stays as it is, so do not summarise it.`
  }
  const next = rounds[rounds.findIndex((round) => round.span.to === span.to) + 1]
  return `Write a summary of a part of this conversation: of all that stands before ${quoted(next)}. That message and what follows it stay as they are, so do not summarise them.`
}

const QUOTED = 160

/** A message is told by how it begins. */
function quoted(round: Round | undefined): string {
  const blocks = round?.content ?? round?.entries.flatMap(({ content }) => content) ?? []
  const words = blocks.map(wordsOf).find((text) => text !== '') ?? ''
  const begins = words.length > QUOTED ? `${withoutHalfCharacter(words.slice(0, QUOTED))}…` : words
  return `the message that begins with «${begins}»`
}

function wordsOf({ type, text, name, input }: Block): string {
  if (type === 'text') return normalised(String(text))
  return type === 'tool_use' ? normalised(`${name} ${JSON.stringify(input)}`) : ''
}

function form(hasDraft: boolean, isUpTo: boolean): string {
  const titles = sectionTitles(isUpTo).map((title, index) => `${index + 1}. ${title}`)
  const skeleton = titles.join('\n…\n')
  return hasDraft
    ? `First go through it in order inside <analysis> tags: what was asked, what was done, which files and errors came up, what the user corrected. That draft is thrown away. Then write the summary inside <summary> tags, with these ${sectionCount} numbered headings as they are, each on a line of its own:\n\n<analysis>\n…\n</analysis>\n<summary>\n${skeleton}\n…\n</summary>`
    : `Write nothing but the summary, with these ${sectionCount} numbered headings as they are, each on a line of its own:\n\n${skeleton}\n…`
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
