import type { Answer, Question } from '@nacre/tools'
import { cleanText } from '../../text/clean-text.js'
import { plainLines } from '../text/plain-lines.js'
import type { Picked } from './dialog.js'
import type { Dialogs } from './dialogs.js'

/** Shows the questions of the model one after the other. Leaving one leaves them all. */
export async function askQuestions(
  dialogs: Dialogs,
  questions: readonly Question[],
  signal: AbortSignal,
): Promise<readonly Answer[] | undefined> {
  const answers: Answer[] = []
  for (const question of questions) {
    const { header, options, multiSelect } = question
    const own = { label: 'In my own words', wantsText: true }
    const picked = await dialogs.choose(
      {
        title: cleanText(header),
        body: (width) => plainLines(question.question, width),
        options: [
          ...options.map(({ label, description }) => ({
            label: cleanText(label),
            description: cleanText(description).replace(/\s+/g, ' '),
          })),
          own,
        ],
        isMulti: multiSelect,
        leaving: 'Esc answers none and interrupts',
      },
      signal,
    )
    if (!picked) return undefined
    answers.push(answerOf(question, picked))
  }
  return answers
}

function answerOf({ options }: Question, { options: places, text }: Picked): Answer {
  const selected = places.flatMap((place) => options[place]?.label ?? [])
  return text ? { selected, text } : { selected }
}
