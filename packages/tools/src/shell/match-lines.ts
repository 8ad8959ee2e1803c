import { createContext, Script } from 'node:vm'

const PATIENCE = 500
const SELECT = new Script('lines.filter((line) => pattern.test(line))')

/** Takes the lines that match. */
export type LineFilter = (lines: readonly string[]) => readonly string[]

/** The pattern comes from a model: one that takes for ever is stopped. Throws with a text for the model. */
export function lineFilter(source: string): LineFilter {
  const context = createContext({ lines: [] as readonly string[], pattern: parsed(source) })
  return (lines) => {
    context.lines = lines
    try {
      return SELECT.runInContext(context, { timeout: PATIENCE })
    } catch {
      throw new Error(`The filter ${source} takes too long on this output: use a simpler one, without nested repeats.`)
    }
  }
}

function parsed(source: string): RegExp {
  try {
    return new RegExp(source)
  } catch (error) {
    throw new Error(`The filter is no regular expression: ${(error as Error).message}`)
  }
}
