const LINES = 2_000
const WORDS = 30

/** A text of some megabytes that tells everywhere which it is. */
export function versionOf(version: number): string {
  return `${`version ${version} of a file that must never be torn `.repeat(WORDS)}\n`.repeat(LINES)
}
