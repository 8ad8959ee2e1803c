import type { BytePath } from './byte-path.js'
import type { GlobAnswer, GlobQuestion } from './glob-question.js'
import { datedPath, newestFirst } from './newest-first.js'
import { filterArguments } from './ripgrep-arguments.js'
import { runRipgrep } from './run-ripgrep.js'

/** Asks ripgrep for files by the time of their change. Only files of the same time have to be put in order here. */
export async function ripgrepGlob(ripgrep: string, question: GlobQuestion, signal: AbortSignal): Promise<GlobAnswer> {
  const { root, filter, limit } = question
  const args = ['--files', '--sortr=modified', ...filterArguments(root, filter), './']
  const pieces: Buffer[] = []
  const complaint = await runRipgrep({ ripgrep, root, args, signal }, (piece) => {
    pieces.push(piece)
    return true
  })
  if (complaint !== undefined) throw new Error(`The files can not be listed. ripgrep says: ${complaint}`)
  const listed = Buffer.concat(pieces).toString('latin1').split('\0')
  const all = listed.slice(0, -1).map((path) => path.slice('./'.length))
  const paths = filter.accepts ? all.filter(filter.accepts) : all
  return { paths: upTo(limit, root, paths), total: paths.length }
}

/** The first of a list that is in order but for files of the same time. */
function upTo(limit: number, root: string, paths: readonly BytePath[]): BytePath[] {
  const dated = []
  for (const path of paths) {
    const file = datedPath(root, path)
    if (!file) continue
    if (dated.length >= limit && file.time !== dated.at(-1)?.time) break
    dated.push(file)
  }
  return newestFirst(dated).slice(0, limit)
}
