import type { GlobAnswer, GlobQuestion } from './glob-question.js'
import { datedPath, newestFirst } from './newest-first.js'
import { walkFiles } from './walk-files.js'

/** Answers Glob without ripgrep. */
export async function scriptGlob({ root, filter, limit }: GlobQuestion, signal: AbortSignal): Promise<GlobAnswer> {
  const dated = []
  for await (const path of walkFiles(root, { ...filter, signal })) {
    const file = (filter.accepts?.(path) ?? true) ? datedPath(root, path) : undefined
    if (file) dated.push(file)
  }
  return { paths: newestFirst(dated).slice(0, limit), total: dated.length }
}
