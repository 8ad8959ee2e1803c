import { brief } from './brief.js'
import type { Call } from './material.js'

const PATH_KEY = /path|file/i
const LOOKS_LIKE_PATH = /^[\w.~@:+-]*[/\\][\w.@/\\+-]*[\w@-]$/
const WRITTEN_KEY = /^(?:content|new_string|text)$/
const LONGEST_PATH = 200
const LONGEST_CODE = 100

interface Touched {
  readonly uses: Map<string, number>
  code: string
}

/** The files that calls name, those touched last at the end, each with what was done to it. */
export function filesTouched(calls: readonly Call[]): ReadonlyMap<string, string> {
  const files = new Map<string, Touched>()
  for (const { name, input } of calls) {
    const fields = Object.entries((input ?? {}) as object).filter(([, value]) => typeof value === 'string')
    const written = fields.find(([key]) => WRITTEN_KEY.test(key))?.[1]
    for (const [key, value] of fields) {
      if (!isPath(key, value)) continue
      const file = files.get(value) ?? { uses: new Map(), code: '' }
      file.uses.set(name, (file.uses.get(name) ?? 0) + 1)
      if (written !== undefined && written !== value) file.code = brief(written, LONGEST_CODE)
      files.delete(value)
      files.set(value, file)
    }
  }
  return new Map([...files].map(([path, file]) => [path, describe(file)]))
}

function isPath(key: string, value: string): boolean {
  return value.length <= LONGEST_PATH && !/\s/.test(value) && (PATH_KEY.test(key) || LOOKS_LIKE_PATH.test(value))
}

function describe({ uses, code }: Touched): string {
  const counts = [...uses].map(([name, times]) => `${name} ${times}`).join(', ')
  return code === '' ? counts : `${counts}; wrote: ${code}`
}
