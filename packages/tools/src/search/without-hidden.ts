import type { BytePath } from './byte-path.js'
import type { GrepAnswer, GrepQuestion } from './grep-question.js'

type Ask = (question: GrepQuestion) => Promise<GrepAnswer>

/**
 * The answer without files that nobody may read. To judge each file that matches would take long, so only those that
 * are wanted are judged; where one of them is hidden all are, since it must not take the place of another file. A total
 * that counts files that nobody has judged is not told.
 */
export async function withoutHidden(
  ask: Ask,
  question: GrepQuestion,
  hides: (path: BytePath) => boolean,
): Promise<GrepAnswer> {
  const { filter, mode, wanted } = question
  const answer = await ask(question)
  const { found, total } = answer
  const judged = mode === 'files_with_matches' ? found.slice(0, wanted) : found
  if (judged.some(({ path }) => hides(path))) {
    const accepts = (path: BytePath) => (filter.accepts?.(path) ?? true) && !hides(path)
    return ask({ ...question, filter: { ...filter, accepts } })
  }
  return mode === 'files_with_matches' && total !== judged.length ? { found: judged } : answer
}
