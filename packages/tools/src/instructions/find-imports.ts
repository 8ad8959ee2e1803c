const FENCE = /^ {0,3}(`{3,}|~{3,})/
const INLINE = /(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g
// One without an end goes on to the end of the text, as in Markdown.
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g
const IMPORT = /(?<=^|[\s([])@((?:\\ |[^\s`]){1,1000})/gm
/** What ends a sentence does not end a path. */
const PUNCTUATION = /[.,;:!?)\]]+$/

/** The paths that a text imports by `@path`, in order. Code and comments import nothing. */
export function findImports(text: string): readonly string[] {
  const prose = withoutFences(text).replace(COMMENT, '').replace(INLINE, '')
  const found = [...prose.matchAll(IMPORT)].map(([, path = '']) => path.replace(PUNCTUATION, '').replaceAll('\\ ', ' '))
  return [...new Set(found.filter((path) => /[./~]/.test(path)))]
}

function withoutFences(text: string): string {
  let open: string | undefined
  const kept = text.split('\n').filter((line) => {
    const [, fence] = FENCE.exec(line) ?? []
    if (open === undefined) {
      open = fence
      return fence === undefined
    }
    if (fence?.startsWith(open) && line.trim() === fence) open = undefined
    return false
  })
  return kept.join('\n')
}
