import { definePlugin, type Plugin } from '@nacre/core'
import { z } from 'zod'
import { defineTool, type ShownTool, textOf } from '../define-tool.js'

export interface AskUserOptions {
  /** Given by the program that has a person in front of it. Without it the model is told to decide by itself. */
  readonly ask?: Ask
}

/** Lets the model ask the person. */
export function askUser({ ask }: AskUserOptions = {}): Plugin {
  return definePlugin({ name: 'ask-user', setup: () => ({ tools: [askUserTool(ask)] }) })
}

const DESCRIPTION = `Asks the person who watches, with options to pick from; they can always answer in their own words instead.
For decisions that are the person's to make: what they want, which way to go where the ways differ, what only they know. Not for what the files can tell, and not to have finished work confirmed. Put the option that you would take first. Ask all that belongs together in one call.`

const NOBODY = `Nobody is there to answer: this session runs without a person.
Decide by yourself from what is known, prefer what can be taken back, and say in the final answer what was assumed.`

const DECLINED =
  'The person did not answer. Go on by your own judgement with what does not depend on it, or say what is missing.'

/** The tool that asks. Without `ask` it says that nobody is there. */
export function askUserTool(ask?: Ask): ShownTool<AskUserInput> {
  return defineTool({
    name: 'AskUser',
    description: DESCRIPTION,
    input,
    // Two questions at once would confuse whoever answers.
    traits: { isReadOnly: true, isConcurrencySafe: false, isCompactable: false },
    title: ({ questions }) => `Ask: ${questions.map(({ header }) => header).join(', ')}`,
    async run({ questions }, { signal }) {
      if (!ask) return NOBODY
      const answers = await ask(questions, signal)
      if (!answers) return DECLINED
      return questions.map((question, index) => formatAnswer(question, answers[index])).join('\n\n')
    },
    show: (_input, result) => textOf(result),
  })
}

const option = z.object({
  label: z.string().trim().min(1).max(80).describe('What the person picks, in one to five words.'),
  description: z.string().trim().max(500).default('').describe('What it means, or what follows from it.'),
})

const question = z.object({
  header: z.string().trim().min(1).max(24).describe('One or two words that say what it is about.'),
  question: z.string().trim().min(1).max(1_000).describe('The whole question.'),
  options: z
    .array(option)
    .min(2)
    .max(6)
    .refine((options) => new Set(options.map(({ label }) => label)).size === options.length, {
      message: 'Two options have the same label. Give each its own.',
    })
    .describe('Answers to pick from. Leave "other" out: the person can always answer in their own words.'),
  multiSelect: z.boolean().default(false).describe('Whether more than one option may be picked.'),
})

/** What a person is asked. Free text is always possible besides the options. */
export type Question = Readonly<z.output<typeof question>>

/** What a person said to one question: labels of options, words of their own, or both. */
export interface Answer {
  readonly selected: readonly string[]
  readonly text?: string
}

/** Shows questions to a person. `undefined`: the person would rather not answer. The answers are in the order of the questions. */
export type Ask = (questions: readonly Question[], signal: AbortSignal) => Promise<readonly Answer[] | undefined>

const input = z.object({ questions: z.array(question).min(1).max(4) })

export type AskUserInput = z.output<typeof input>

function formatAnswer({ question }: Question, answer: Answer | undefined): string {
  const text = answer?.text?.trim()
  const said = [...(answer?.selected ?? []), ...(text ? [`in their own words: ${text}`] : [])]
  return `${question}\n→ ${said.length > 0 ? said.join('; ') : 'no answer'}`
}
