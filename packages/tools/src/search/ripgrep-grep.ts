import { type GrepAnswer, type GrepQuestion, patternError } from './grep-question.js'
import { grepArguments } from './ripgrep-arguments.js'
import { readMatches } from './ripgrep-output.js'
import { runRipgrep } from './run-ripgrep.js'

/**
 * Asks ripgrep. It searches on all processors and in no order, and the order is made afterwards. Where there is more
 * than the budget it is stopped, and asked again in the order of paths until there is what is wanted.
 */
export async function ripgrepGrep(ripgrep: string, question: GrepQuestion, signal: AbortSignal): Promise<GrepAnswer> {
  const run = { ripgrep, root: question.root, args: grepArguments(question), signal }
  const pieces: Buffer[] = []
  let size = 0
  const complaint = await runRipgrep(run, (piece) => {
    pieces.push(piece)
    size += piece.length
    return size <= question.budget
  })
  if (complaint !== undefined) throw patternError(question.pattern, reasonIn(complaint))
  if (size > question.budget) return inOrder(run, question)
  return readMatches(Buffer.concat(pieces), question)
}

type Run = Parameters<typeof runRipgrep>[0]

async function inOrder(run: Run, question: GrepQuestion): Promise<GrepAnswer> {
  const pieces: Buffer[] = []
  let size = 0
  // Reading takes longer the more there is, so it is tried at sizes that double.
  let tryAt = 1 << 16
  await runRipgrep({ ...run, args: ['--sort=path', ...run.args] }, (piece) => {
    pieces.push(piece)
    size += piece.length
    if (size < tryAt) return true
    tryAt *= 2
    return readMatches(Buffer.concat(pieces), question).total <= question.wanted
  })
  return { found: readMatches(Buffer.concat(pieces), question).found }
}

/** What ripgrep says, without hints at flags that are not for the model. */
function reasonIn(complaint: string): string {
  const said = /~\n([\s\S]*?)\n~/.exec(complaint)?.[1] ?? complaint
  return `ripgrep says: ${said.replace(/^rg: /, '').replace(/\n\nConsider enabling[\s\S]*$/, '')}`
}
