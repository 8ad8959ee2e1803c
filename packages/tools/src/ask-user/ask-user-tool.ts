import { z } from 'zod'
import { defineTool, type ShownTool, textOf } from '../define-tool.js'
import { type Answer, type Ask, type Question, questionList } from './question.js'

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
      return questions.map((question, index) => worded(question, answers[index])).join('\n\n')
    },
    show: (_input, result) => textOf(result),
  })
}

const input = z.object({ questions: questionList })

export type AskUserInput = z.output<typeof input>

function worded({ question }: Question, answer: Answer | undefined): string {
  const text = answer?.text?.trim()
  const said = [...(answer?.selected ?? []), ...(text ? [`in their own words: ${text}`] : [])]
  return `${question}\n→ ${said.length > 0 ? said.join('; ') : 'no answer'}`
}
