/** A command that does no harm, such as an agent runs. */
export interface HarmlessCommand {
  readonly command: string
  /** Programs without which it is left out. */
  readonly needs?: readonly string[]
  /** What differs from run to run, without a cage too. */
  readonly differs?: readonly Difference[]
  /** A file that comes from `/tmp`: it keeps its mode only where that is on the same file system. */
  readonly moved?: string
}

export interface Difference {
  readonly pattern: RegExp
  readonly why: string
}

/** What `node --test` says of how long a test took. */
export const DURATIONS: readonly Difference[] = [
  { pattern: /(?<=duration_ms:? )[\d.]+/g, why: 'how long a test took' },
  { pattern: /(?<=\()[\d.]+ms(?=\))/g, why: 'how long a test took' },
]

/** Most commands are told by their text alone. */
export function harmless(...commands: readonly (string | HarmlessCommand)[]): readonly HarmlessCommand[] {
  return commands.map((command) => (typeof command === 'string' ? { command } : command))
}

/** A text without what may differ. */
export function normalised(text: string, { differs = [] }: HarmlessCommand): string {
  return differs.reduce((rest, { pattern }) => rest.replaceAll(pattern, '<differs>'), text)
}

/** A command of programs that not every machine has. */
export function withProgram(...needs: readonly string[]) {
  return (command: string): HarmlessCommand => ({ command, needs })
}
