const LINES = 60_000

/** A text of some megabytes that tells which it is in every line. */
export function versionOf(version: number): string {
  return `version ${version} of a file that must never be torn\n`.repeat(LINES)
}
