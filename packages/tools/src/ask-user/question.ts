import { z } from 'zod'

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

/** One to four questions. */
export const questionList = z.array(question).min(1).max(4)
