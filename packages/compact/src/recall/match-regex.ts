import { MAX_PLACES, type Match, type Matcher } from './matcher.js'

/** Milliseconds for one batch of texts: ordinary patterns need a few. */
const TIME = 250
const IGNORE_CASE = '(?i)'

/**
 * Finds a pattern. It comes from outside and may take for ever on the right text, so each batch is run under a limit
 * that ends it from within the engine; the search ends there with a reason.
 */
export async function matchRegex(source: string): Promise<Matcher> {
  const isLoose = source.startsWith(IGNORE_CASE)
  const pattern = compile(isLoose ? source.slice(IGNORE_CASE.length) : source, isLoose ? 'gim' : 'gm')
  const { createContext, Script } = await import('node:vm')
  const limited = new Script('run()')
  return (texts) => {
    let found: readonly (Match | undefined)[] = []
    const run = () => {
      found = texts.map((text) => matchOf(text, pattern))
    }
    try {
      limited.runInContext(createContext({ run }), { timeout: TIME })
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      throw new Error(
        'The regex takes too long on this log and was stopped. Leave out repetitions inside repetitions, such as (a+)+, or use query.',
      )
    }
    return found
  }
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags)
  } catch (error) {
    throw new Error(
      `The regex is not valid: ${(error as Error).message}. Mend it, or use query or anchor for plain text.`,
    )
  }
}

function matchOf(text: string, pattern: RegExp): Match | undefined {
  const places: [number, number][] = []
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found && places.length < MAX_PLACES; found = pattern.exec(text)) {
    const end = found.index + found[0].length
    if (end > found.index) places.push([found.index, end])
    else pattern.lastIndex += 1
  }
  return places.length > 0 ? { score: 1, places } : undefined
}
