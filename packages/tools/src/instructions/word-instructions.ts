import type { InstructionFile } from './instruction-file.js'

const HEAD = `Instructions from files that are kept for agents. They come from the general to the particular: where two of them contradict, the later one holds. What the user says stands above them.`

/** The section of the system prompt; `undefined` without instructions. */
export function wordInstructions(files: readonly InstructionFile[]): string | undefined {
  return files.length === 0 ? undefined : [HEAD, ...files.map((file) => framed('instructions', file))].join('\n\n')
}

/** The instructions of a folder, as a note inside the result of a read. */
export function wordNested(file: InstructionFile): string {
  return framed('nested_memory', file)
}

/** The text can not leave its frame. */
function framed(tag: string, { kind, path, text, importedBy }: InstructionFile): string {
  const name = (value: string) => value.replace(/["<>\n]/g, ' ')
  const origin = importedBy === undefined ? '' : ` imported-by="${name(importedBy)}"`
  const body = text.replaceAll(`</${tag}`, `<\\/${tag}`).trim()
  return `<${tag} kind="${kind}" path="${name(path)}"${origin}>\n${body}\n</${tag}>`
}
